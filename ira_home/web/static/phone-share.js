// @ts-check
// Telling Ira something from this phone, with what another app shared: the person's words first, and what came
// from elsewhere quoted below them, since it is not their own.
import { say } from "./dom.js";

const CACHE = "shared-with-ira"; // sw.js fills it
const SHARED = "/phone/shared";

/** @param {import("./phone-store.js").Device} device */
export async function share(device) {
  const form = document.querySelector("form[data-tell]");
  if (!(form instanceof HTMLFormElement)) return;
  const words = /** @type {HTMLTextAreaElement} */ (form.elements.namedItem("words"));
  const shared = /** @type {HTMLTextAreaElement} */ (form.elements.namedItem("shared"));
  const came = await taken();
  /** @param {string} text */
  const bring = (text) => {
    for (const box of form.querySelectorAll("[data-shared]")) if (box instanceof HTMLElement) box.hidden = !text;
    shared.value = text;
  };
  bring(came);
  if (came) words.focus();
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const isTold = await tell(form, device, [words.value.trim(), quoted(shared.value)].filter(Boolean).join("\n\n"));
    if (!isTold) return;
    form.reset();
    bring("");
  });
}

// What was sent and not answered is sent again under the same key, so that it is not done twice.
let waiting = { text: "", key: "" };

/** What another app shared with the installed page; it is taken once. */
async function taken() {
  if (!("caches" in window)) return "";
  const cache = await caches.open(CACHE);
  const found = await cache.match(SHARED);
  await cache.delete(SHARED);
  return found ? found.text() : "";
}

/** @param {string} text */
const quoted = (text) => text.trim().split("\n").map((one) => (one.trim() ? `> ${one}` : "")).join("\n").trim();

/** @param {HTMLFormElement} form @param {import("./phone-store.js").Device} device @param {string} text
 * @returns {Promise<boolean>} whether she answered */
async function tell(form, device, text) {
  const answer = form.querySelector("[data-answer]"), button = form.querySelector("button");
  if (!text || !(answer instanceof HTMLElement) || !button) return false;
  let isTold = false;
  if (waiting.text !== text) waiting = { text, key: crypto.randomUUID() };
  button.disabled = true;
  answer.hidden = false;
  answer.textContent = say("phone.thinking");
  try {
    const reply = await fetch("/v1/ask", {
      method: "POST",
      credentials: "omit",
      headers: { "Content-Type": "application/json", "Idempotency-Key": waiting.key, Authorization: `Bearer ${device.token}` },
      body: JSON.stringify({ text }),
    });
    const said = await reply.json();
    answer.textContent = reply.ok ? said.text : said.detail;
    if (reply.ok && said.proposals.length) answer.append(` ${say("phone.waits")}`);
    waiting = { text: "", key: "" };
    isTold = reply.ok;
  } catch {
    answer.textContent = say("phone.unreachable");
  }
  button.disabled = false;
  return isTold;
}
