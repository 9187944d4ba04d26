// @ts-check
// What a person wrote and Ira has not got yet: words that wait, and drafts. It stays in this browser, for this
// person alone, until it is sent, taken back or its person signs out.

/** Words on their way. `thread` is what a conversation is called that has no number yet.
 * @typedef {{ id: string, thread: string, conversation: number, text: string, tried?: boolean, failed?: string }} Words */

const person = document.querySelector("[data-person]")?.getAttribute("data-person") || "";
const OUT = `ira.out.${person}`;
const DRAFT = `ira.draft.${person}.`;
const memory = new Map(); // where a browser keeps nothing

/** @param {string} key */
function get(key) {
  try { return localStorage.getItem(key); } catch { return memory.get(key) ?? null; }
}

/** @param {string} key @param {string} value */
function put(key, value) {
  try {
    if (value) localStorage.setItem(key, value);
    else localStorage.removeItem(key);
  } catch { memory.set(key, value); }
}

/** Forget what somebody left here. @param {(key: string) => boolean} which */
function forget(which) {
  memory.clear();
  try {
    for (const key of Object.keys(localStorage)) if (/^ira\.(out|draft)\./.test(key) && which(key)) localStorage.removeItem(key);
  } catch { /* nothing was kept */ }
}

/** @returns {Words[]} */
export function waiting() {
  try { return JSON.parse(get(OUT) || "[]"); } catch { return []; }
}

/** @param {(all: Words[]) => Words[]} change */
function keep(change) {
  const all = change(waiting());
  put(OUT, all.length ? JSON.stringify(all) : "");
}

/** @param {Words} words */
export const add = (words) => keep((all) => [...all, words]);

/** @param {string} id @param {Partial<Words>} change */
export const change = (id, change) => keep((all) => all.map((one) => (one.id === id ? { ...one, ...change } : one)));

/** @param {string} id */
export const remove = (id) => keep((all) => all.filter((one) => one.id !== id));

/** Words of a thread that got its number; what was tried already is sent as it was.
 * @param {string} thread @param {number} conversation */
export const number = (thread, conversation) => keep((all) => all.map((one) => (one.thread === thread && !one.tried ? { ...one, conversation } : one)));

/** @param {number} conversation @param {string} text */
export const keepDraft = (conversation, text) => put(DRAFT + (conversation || "new"), text);

/** @param {number} conversation */
export const draft = (conversation) => get(DRAFT + (conversation || "new")) || "";

/** On every page: nothing stays of a person who signs out, or of another one. */
export function clearOut() {
  if (person) forget((key) => !key.startsWith(OUT) && !key.startsWith(DRAFT));
  document.addEventListener("submit", (event) => {
    if (event.target instanceof HTMLFormElement && event.target.getAttribute("action") === "/signout") forget(() => true);
  });
}
