// @ts-check
// Sheets in which the person at this phone decides: one at a time, and nothing happens without a touch.

const PATIENCE_MS = 22_000; // Ira waits 25 seconds for a device
/** @type {Promise<unknown>} */
let last = Promise.resolve();

/** @template T
 * @typedef {{ sheet: HTMLDialogElement, done: (value: T) => void, on: (selector: string, act: () => void) => void }} Opened */

/** Open a sheet of the page, after those that are open; null when nobody decided in time.
 * @template T @param {string} id @param {(opened: Opened<T>) => void} fill @returns {Promise<T | null>} */
export function decide(id, fill, patience = PATIENCE_MS) {
  const mine = last.then(() => open(id, fill, patience));
  last = mine.catch(() => {});
  return mine;
}

/** @template T @param {string} id @param {(opened: Opened<T>) => void} fill @param {number} patience
 * @returns {Promise<T | null>} */
function open(id, fill, patience) {
  const sheet = document.getElementById(id);
  if (!(sheet instanceof HTMLDialogElement)) throw new Error(`there is no sheet ${id}`);
  return new Promise((resolve) => {
    const over = new AbortController();
    /** @param {T | null} value */
    const done = (value) => {
      if (over.signal.aborted) return;
      over.abort();
      clearTimeout(late);
      if (sheet.open) sheet.close();
      resolve(value);
    };
    const late = setTimeout(() => done(null), patience);
    sheet.addEventListener("close", () => done(null), { signal: over.signal });
    /** @param {string} selector @param {() => void} act */
    const on = (selector, act) => {
      for (const one of sheet.querySelectorAll(selector)) one.addEventListener("click", act, { signal: over.signal });
    };
    on("[data-no]", () => done(null));
    fill({ sheet, done, on });
    sheet.showModal();
  });
}

/** Show a text in a part of a sheet. @param {HTMLElement} sheet @param {string} part @param {string} text */
export function put(sheet, part, text) {
  const place = sheet.querySelector(`[data-${part}]`);
  if (place instanceof HTMLElement) { place.textContent = text; place.hidden = !text; }
}
