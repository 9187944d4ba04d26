// @ts-check
// Comforts of forms; every form works without them.
import { say } from "./dom.js";

const SENT_MS = 4000;

function showPasswords() {
  for (const button of document.querySelectorAll("button[data-show]")) {
    const input = document.getElementById(button instanceof HTMLElement ? button.dataset.show || "" : "");
    if (!(input instanceof HTMLInputElement) || !(button instanceof HTMLButtonElement)) continue;
    button.hidden = false;
    button.addEventListener("click", () => {
      const shows = input.type === "password";
      input.type = shows ? "text" : "password";
      button.setAttribute("aria-pressed", String(shows));
      button.textContent = say(shows ? "js.hide" : "js.show");
      input.focus();
    });
  }
}

/** How hard a password is to guess, 0 to 4, by its length and variety. @param {string} text */
export function strength(text) {
  if (text.length < 8) return 0;
  const kinds = [/\p{Ll}|\p{Lo}/u, /\p{Lu}/u, /\d/, /[^\p{L}\d]/u].filter((kind) => kind.test(text)).length;
  const variety = new Set(text.toLowerCase()).size;
  if (variety < 5) return 1;
  const score = text.length + 2 * kinds + (variety > 9 ? 2 : 0);
  return score >= 24 ? 4 : score >= 19 ? 3 : score >= 14 ? 2 : 1;
}

function meterPasswords() {
  for (const meter of document.querySelectorAll("[data-strength]")) {
    const input = document.getElementById(meter instanceof HTMLElement ? meter.dataset.strength || "" : "");
    const text = meter.parentElement?.querySelector("[data-strength-text]");
    if (!(input instanceof HTMLInputElement) || !(meter instanceof HTMLElement) || !(text instanceof HTMLElement)) continue;
    input.addEventListener("input", () => {
      const level = strength(input.value);
      meter.hidden = text.hidden = !input.value;
      meter.className = `strength s${level}`;
      text.textContent = say(`js.strength.${level}`);
    });
  }
}

function copyButtons() {
  if (!navigator.clipboard) return;
  for (const button of document.querySelectorAll("[data-copy]")) {
    if (!(button instanceof HTMLButtonElement)) continue;
    button.hidden = false;
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(button.dataset.copy || "");
      note(button, say("js.copied"));
    });
  }
}

/** Say something beside a button for a moment. @param {HTMLElement} button @param {string} text */
export function note(button, text) {
  let said = button.nextElementSibling;
  if (!said || !said.classList.contains("saved")) {
    said = document.createElement("span");
    said.className = "saved";
    said.setAttribute("role", "status");
    button.after(said);
  }
  said.textContent = text;
  setTimeout(() => said.remove(), 3000);
}

function printButtons() {
  for (const button of document.querySelectorAll("button[data-print]")) {
    if (!(button instanceof HTMLButtonElement)) continue;
    button.hidden = false;
    button.addEventListener("click", () => print());
  }
}

function submitOnChange() {
  for (const input of document.querySelectorAll("[data-submit]")) {
    if (input instanceof HTMLInputElement) input.addEventListener("change", () => input.form?.requestSubmit());
  }
}

// A form that was sent once is not sent again by a second touch.
function sendOnce() {
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (!(form instanceof HTMLFormElement) || form.method !== "post" || event.defaultPrevented) return;
    if (form.dataset.sent) { event.preventDefault(); return; }
    form.dataset.sent = "1";
    // The page may stay: an answer can be a file.
    setTimeout(() => form.removeAttribute("data-sent"), SENT_MS);
  });
  addEventListener("pageshow", () => {
    for (const form of document.querySelectorAll("form[data-sent]")) form.removeAttribute("data-sent");
  });
}

// Names that browsers still use for zones that were renamed.
const RENAMED = { "Asia/Calcutta": "Asia/Kolkata", "Asia/Katmandu": "Asia/Kathmandu", "Asia/Rangoon": "Asia/Yangon", "Asia/Saigon": "Asia/Ho_Chi_Minh", "Europe/Kiev": "Europe/Kyiv" };

function guessZone() {
  const select = document.querySelector("select[data-guess-zone]");
  if (!(select instanceof HTMLSelectElement)) return;
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const known = new Set([...select.options].map((option) => option.value));
  const name = RENAMED[/** @type {keyof typeof RENAMED} */ (zone)] || zone;
  if (known.has(name)) select.value = name;
  else if (known.has(zone)) select.value = zone;
}

// A skill that waits for its PIN puts the cursor where the PIN goes.
function askForPin() {
  for (const details of document.querySelectorAll(".turning-on > details")) {
    details.addEventListener("toggle", () => {
      const pin = details.querySelector("input.pin");
      if (details instanceof HTMLDetailsElement && details.open && pin instanceof HTMLInputElement) pin.focus();
    });
  }
}

function focusFault() {
  const wrong = document.querySelector("[aria-invalid='true']");
  if (wrong instanceof HTMLElement) wrong.focus();
}

export function comfort() {
  showPasswords();
  meterPasswords();
  copyButtons();
  printButtons();
  submitOnChange();
  sendOnce();
  guessZone();
  askForPin();
  focusFault();
}
