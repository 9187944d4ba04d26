// @ts-check
// The page of a scanned code. The code stands behind the #, is taken out of the address at once, is
// shown, and goes nowhere.
import { note } from "./forms.js";
import { say } from "./dom.js";

const ALPHABET = /^[ABCDEFGHJKMNPQRSTVWXYZ23456789]{8}$/;

const link = location.href;
const code = (new URLSearchParams(location.hash.slice(1)).get("code") || "").toUpperCase().replace(/[\s-]/g, "");
if (location.hash) history.replaceState(null, "", location.pathname);

const card = document.querySelector("[data-code-card]");
const missing = document.querySelector("[data-no-code]");
if (card instanceof HTMLElement && missing instanceof HTMLElement) {
  const isGood = ALPHABET.test(code);
  card.hidden = !isGood;
  missing.hidden = isGood;
  if (isGood) show(card);
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
