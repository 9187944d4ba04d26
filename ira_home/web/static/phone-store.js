// @ts-check
// What makes this browser a device of its person. It is kept in this origin alone, and with nobody else.
import { say } from "./dom.js";

const KEY = "ira.device";
const FAULTS = { code_gone: "phone.fault.code_gone", kind_mismatch: "phone.fault.kind_mismatch", too_many: "phone.fault.too_many" };

/** @typedef {{ token: string, id: number, kind: string, label: string, name: string }} Device */

/** The device that this browser is. @returns {Device | null} */
export function kept() {
  try {
    const found = JSON.parse(localStorage.getItem(KEY) || "null");
    return found && typeof found.token === "string" ? found : null;
  } catch {
    return null;
  }
}

/** @param {Device} device */
export function keep(device) {
  localStorage.setItem(KEY, JSON.stringify(device));
}

export function forget() {
  localStorage.removeItem(KEY);
}

/** Hear of another page of this browser that became the device or ceased to be it. @param {() => void} listener */
export function onChange(listener) {
  addEventListener("storage", (event) => { if (event.key === KEY || event.key === null) listener(); });
}

/** What this browser runs on, where that is a phone or a tablet. @returns {"android" | "ios" | ""} */
export function kindHere() {
  const agent = navigator.userAgent;
  if (/Android/.test(agent)) return "android";
  if (/iPhone|iPad|iPod/.test(agent)) return "ios";
  // An iPad says that it is a Mac.
  return /Mac OS/.test(agent) && navigator.maxTouchPoints > 1 ? "ios" : "";
}

/** Claim a code and keep what comes for it. @param {string} code @param {string} kind
 * @returns {Promise<string>} "" or what was wrong, in words */
export async function claim(code, kind) {
  const reply = await fetch("/v1/devices/pair", {
    method: "POST",
    credentials: "omit",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ code, kind }),
  }).catch(() => null);
  if (!reply) return say("phone.unreachable_code");
  const said = await reply.json();
  if (reply.status !== 201) {
    const known = FAULTS[/** @type {keyof typeof FAULTS} */ (said.code)];
    return known ? say(known) : said.detail;
  }
  keep({ token: said.token, id: said.device_id, kind: said.kind, label: said.label, name: said.name });
  return "";
}
