// @ts-check
// Small things that every script of the pages uses. Text is set as text, never as markup.

/** @typedef {string | Record<string, string>} Said a text, or one for each kind of number */

/** @type {Record<string, Said>} */
let words = {};
const lang = document.documentElement.lang === "hi" ? "hi-IN" : "en-IN";
const plural = new Intl.PluralRules(lang);
const digits = new Intl.NumberFormat(lang);

/** More words of the page's language; the scripts that tell them stand before every other.
 * @param {Record<string, Said>} all */
export function learn(all) {
  words = { ...words, ...all };
}

/** A text of the page's language, with its {placeholders} filled in; the number n chooses the form.
 * @param {string} key @param {Record<string, string | number>} [values] */
export function say(key, values = {}) {
  const found = words[key] ?? key;
  const text = typeof found === "string" ? found : found[plural.select(Number(values.n))];
  return text.replace(/\{(\w+)\}/g, (_, name) => {
    const value = values[name] ?? "";
    return typeof value === "number" ? digits.format(value) : value;
  });
}

/** An element with a class and a text. @param {string} tag @param {string} [name] @param {string} [text] */
export function make(tag, name = "", text = "") {
  const made = document.createElement(tag);
  if (name) made.className = name;
  if (text) made.textContent = text;
  return made;
}

const SVG = "http://www.w3.org/2000/svg";

/** Ira's mark, as the page shows it already. */
export function mark() {
  const known = document.querySelector("svg.mark");
  return known ? known.cloneNode(true) : document.createElementNS(SVG, "svg");
}

/** The page of an address as a document of its own; its scripts do not run.
 * @param {string} path @returns {Promise<Document>} */
export function page(path) {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.responseType = "document";
    request.open("GET", path);
    request.onload = () => (request.status === 200 && request.responseXML ? resolve(request.responseXML) : reject(new Error(String(request.status))));
    request.onerror = () => reject(new Error("offline"));
    request.send();
  });
}

/** Put the parts of a region that have changed in place; what has not stays, with what was typed in it.
 * A part is known by its data-key, or by being the same. @param {Element} old @param {Element} fresh */
export function renew(old, fresh) {
  const left = [...old.childNodes];
  const next = [...fresh.childNodes].map((child) => {
    const at = left.findIndex((one) => isSame(one, child));
    if (at === -1) return document.adoptNode(child);
    setClocks(left[at], child);
    return left.splice(at, 1)[0];
  });
  for (const gone of left) gone.remove();
  // Nodes that stay are not moved, so that focus and open details survive.
  let place = old.firstChild;
  for (const node of next) {
    if (node === place) place = node.nextSibling;
    else old.insertBefore(node, place);
  }
}

/** @param {Node} old @param {Node} fresh */
function isSame(old, fresh) {
  if (old instanceof HTMLElement && fresh.nodeType === Node.ELEMENT_NODE) {
    const key = /** @type {Element} */ (fresh).getAttribute("data-key");
    if (key || old.dataset.key) return old.dataset.key === key;
  }
  return old.isEqualNode(fresh);
}

/** The server's clock goes on while this machine sleeps. @param {Node} old @param {Node} fresh */
function setClocks(old, fresh) {
  if (!(old instanceof HTMLElement) || fresh.nodeType !== Node.ELEMENT_NODE) return;
  const right = /** @type {Element} */ (fresh).querySelectorAll("[data-left]");
  old.querySelectorAll("[data-left]").forEach((one, at) => one.setAttribute("data-left", right[at]?.getAttribute("data-left") || "0"));
}

/** What a region does before it is renewed, by its id. @type {Map<string, (old: Element, fresh: Element) => void>} */
export const beforehand = new Map();

let turn = Promise.resolve();

/** Fetch this page again and renew its regions, one time after another: an older page never comes last.
 * @param {string} [path] @param {(region: Element) => boolean} [wanted] @returns {Promise<void>} */
export function refresh(path, wanted = () => true) {
  const mine = turn.then(() => renewed(path ?? location.pathname + location.search, wanted));
  turn = mine.catch(() => {});
  return mine;
}

/** @param {string} path @param {(region: Element) => boolean} wanted */
async function renewed(path, wanted) {
  const fresh = await page(path);
  document.dispatchEvent(new CustomEvent("ira:fetched", { detail: fresh }));
  let changed = false;
  for (const region of document.querySelectorAll("[data-fresh]")) {
    const other = fresh.getElementById(region.id);
    if (!other || !wanted(region)) continue;
    beforehand.get(region.id)?.(region, other);
    renew(region, other);
    changed = true;
  }
  if (changed) document.dispatchEvent(new Event("ira:fresh"));
}
