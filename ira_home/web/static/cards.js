// @ts-check
// Answering a question of Ira's on its card: the card's own number and the digest of what it shows go along, the PIN stands
// in a field of its own, and whoever answers first has answered, wherever the card is shown.
import { say } from "./dom.js";
import { pause } from "./runs.js";

const TRIES = 4;

/** @param {HTMLElement} log @param {() => Promise<void>} settle @param {(problem: any, status: number) => string} told */
export function cards(log, settle, told) {
  log.addEventListener("submit", (event) => {
    const form = event.target;
    if (!(form instanceof HTMLFormElement) || !form.matches("[data-answer]")) return;
    event.preventDefault();
    answer(form, /** @type {HTMLElement} */ (form.closest("[data-question]")), /** @type {HTMLButtonElement | null} */ (event.submitter)?.value === "yes");
  });

  /** @param {HTMLFormElement} form @param {HTMLElement} card @param {boolean} isYes */
  async function answer(form, card, isYes) {
    const value = (/** @type {string} */ name) => String(new FormData(form).get(name) || "");
    const path = `/v1/actions/${value("proposal")}/${isYes ? "confirm" : "cancel"}`;
    const pin = value("pin");
    const body = isYes ? { digest: value("digest"), ...(pin ? { pin } : {}) } : {};
    for (const button of card.querySelectorAll("button")) button.disabled = true;
    const response = await send(path, JSON.stringify(body));
    if (!response) { wrong(card, say("js.unreachable_card")); return; }
    if (response.ok || response.status === 409 || response.status === 410) { await settle(); return; }
    wrong(card, told(await response.json().catch(() => ({})), response.status));
  }
}

/** The same answer under the same key, so that a line that broke makes no second one.
 * @param {string} path @param {string} body */
async function send(path, body) {
  const headers = { "Content-Type": "application/json", "Idempotency-Key": crypto.randomUUID() };
  for (let tries = 0; tries < TRIES; tries += 1) {
    try { return await fetch(path, { method: "POST", headers, body }); } catch { await pause(tries); }
  }
  return null;
}

/** @param {HTMLElement} card @param {string} text */
function wrong(card, text) {
  for (const button of card.querySelectorAll("button")) button.disabled = false;
  const pin = card.querySelector("input.pin");
  const line = card.querySelector("[data-fault]");
  const status = document.getElementById("chat-status");
  if (!(line instanceof HTMLElement)) return;
  line.hidden = false;
  const words = line.querySelector("span");
  if (words) words.textContent = text;
  if (status) status.textContent = text;
  if (!(pin instanceof HTMLInputElement)) return;
  pin.value = "";
  pin.setAttribute("aria-invalid", "true");
  pin.setAttribute("aria-describedby", line.id);
  pin.focus();
}
