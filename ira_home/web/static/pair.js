// @ts-check
// The page of a scanned code. The code stands behind the #, is taken out of the address at once, is
// shown, and goes nowhere but into the offer to open the same page under the server's own name.
import { note } from "./forms.js";
import { say } from "./dom.js";
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
  if (isGood && !isOther) { show(card); offerName(hash); }
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
