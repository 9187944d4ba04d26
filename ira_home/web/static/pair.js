// @ts-check
// The page of a scanned code. The code stands behind the #, is taken out of the address at once, is
// shown, and goes nowhere but into the offer to open the same page under the server's own name, and, where
// this is a phone and its person says so, to Ira.
import { note } from "./forms.js";
import { say } from "./dom.js";
import { claim, kept, kindHere } from "./phone-store.js";
import { offerName } from "./trust.js";

const ALPHABET = /^[ABCDEFGHJKMNPQRSTVWXYZ23456789]{8}$/;

const link = location.href, hash = location.hash;
const told = new URLSearchParams(hash.slice(1));
const code = (told.get("code") || "").toUpperCase().replace(/[\s-]/g, "");
if (location.hash) history.replaceState(null, "", location.pathname);

const card = document.querySelector("[data-code-card]");
const missing = document.querySelector("[data-no-code]");
if (card instanceof HTMLElement && missing instanceof HTMLElement) {
  const isGood = ALPHABET.test(code);
  // An address goes to another machine when a network gives addresses anew: its code is not for that one.
  const isOther = isGood && told.has("id") && card.dataset.server !== `ira-${told.get("id")}.local`;
  card.hidden = !isGood || isOther;
  missing.hidden = isGood;
  for (const one of document.querySelectorAll("[data-other-server], [data-ways]")) {
    if (one instanceof HTMLElement) one.hidden = one.hasAttribute("data-ways") === isOther;
  }
  const kind = kindHere();
  for (const one of document.querySelectorAll("[data-on]")) {
    if (one instanceof HTMLElement && (one.dataset.on === "phone") !== Boolean(kind)) one.hidden = true;
    else if (one instanceof HTMLElement && !one.hasAttribute("data-ways")) one.hidden = false;
  }
  if (isGood && !isOther) { show(card); offerName(hash); if (kind) offerPhone(kind); }
}

/** Let this phone's browser be the device, when its person says so. @param {string} kind */
function offerPhone(kind) {
  const button = document.querySelector("[data-claim]"), fault = document.querySelector("[data-fault]");
  const already = document.querySelector("[data-already]"), name = document.querySelector("[data-already-name]");
  const ios = document.querySelector("[data-on-ios]");
  const device = kept();
  if (ios instanceof HTMLElement) ios.hidden = kind !== "ios";
  if (device && already instanceof HTMLElement && name) { already.hidden = false; name.textContent = device.label; }
  if (!(button instanceof HTMLButtonElement) || !(fault instanceof HTMLElement)) return;
  button.addEventListener("click", async () => {
    button.disabled = true;
    const wrong = await claim(code, kind);
    if (!wrong) { location.assign("/phone"); return; }
    fault.textContent = wrong;
    fault.hidden = false;
    button.disabled = false;
  });
}

/** @param {HTMLElement} card */
function show(card) {
  const text = card.querySelector("[data-code]");
  if (text) {
    text.textContent = `${code.slice(0, 4)}-${code.slice(4)}`;
    text.setAttribute("aria-label", `${[...code.slice(0, 4)].join(" ")}, ${[...code.slice(4)].join(" ")}`);
  }
  const button = card.querySelector("[data-copy-link]");
  if (!(button instanceof HTMLButtonElement)) return;
  if (!navigator.clipboard) { button.hidden = true; return; }
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(link);
    note(button, say("js.copied"));
  });
}
