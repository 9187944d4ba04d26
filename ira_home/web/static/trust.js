// @ts-check
// Whether this browser knows Ira's certificate: said once and calmly, since everything works without it.

const SEEN = "ira.trust"; // what the last look of this tab said
const CLOSED = "ira.trust.closed"; // this browser does not want to be told
const PATIENCE_MS = 4000;
// Scripts of one version lie in one folder, whose name is the version.
const VERSION = new URL(import.meta.url).pathname.split("/")[2];
const IS_CHROMIUM = /Chrom(e|ium)\//.test(navigator.userAgent);

/** @typedef {"yes" | "no" | "unsure"} Trust */

/** @type {{ createScriptURL: (text: string) => any } | undefined} */
const policy = /** @type {any} */ (window).trustedTypes?.createPolicy("ira", {
  createScriptURL(/** @type {string} */ text) {
    if (!/^\/sw\.js\?[a-z0-9=&]*$/.test(text)) throw new TypeError("not the worker of these pages");
    return text;
  },
});

/** Register the worker. Chromium refuses that, and only that, on a page whose certificate it does not trust. */
async function worker() {
  if (!("serviceWorker" in navigator)) return "unsure";
  const lang = document.documentElement.lang === "hi" ? "hi" : "en";
  const address = `/sw.js?lang=${lang}&version=${VERSION}`;
  try {
    await navigator.serviceWorker.register(policy ? policy.createScriptURL(address) : address, { updateViaCache: "none" });
    return "yes";
  } catch (error) {
    return error instanceof DOMException && error.name === "SecurityError" ? "no" : "unsure";
  }
}

/** Whether the server answers at another of its addresses, over a line that this browser takes.
 * @param {string} origin */
async function answers(origin) {
  try {
    await fetch(`${origin}/trust-ping`, { mode: "no-cors", cache: "no-store", credentials: "omit", signal: AbortSignal.timeout(PATIENCE_MS) });
    return true;
  } catch {
    return false;
  }
}

/** @param {Storage} store @param {string} name */
const remembered = (store, name) => { try { return store.getItem(name); } catch { return null; } };

/** @param {Storage} store @param {string} name @param {string} value */
const remember = (store, name, value) => { try { store.setItem(name, value); } catch { /* asked again next time */ } };

/** @param {boolean} isByName whether the name that stays answered @returns {Promise<Trust>} */
async function trusts(isByName) {
  const found = await worker();
  // Firefox takes a worker from a page with an exception, too; of Safari that is not known.
  const said = IS_CHROMIUM || found === "no" ? found : isByName ? "yes" : "unsure";
  // Whoever brings the phones in sees it, too; once in a tab.
  if (said === "yes" && remembered(sessionStorage, SEEN) !== said) fetch("/trust-ping?knows=yes", { cache: "no-store" }).catch(() => {});
  remember(sessionStorage, SEEN, said);
  return said;
}

/** Offer the name that stays, with what stood behind the # of this page's address.
 * @param {string} [hash] @returns {Promise<boolean>} whether it answers */
export async function offerName(hash = "") {
  const box = document.querySelector("[data-stable]");
  if (!(box instanceof HTMLElement)) return false;
  const origin = box.dataset.stable || "";
  if (!origin || origin === location.origin || !(await answers(origin))) return false;
  const link = box.querySelector("a");
  if (link) link.href = origin + location.pathname + hash;
  box.hidden = false;
  return true;
}

/** @param {Element} box */
async function look(box) {
  /** @param {string} which */
  const say = (which) => {
    for (const one of box.querySelectorAll("[data-trust]")) {
      if (one instanceof HTMLElement) one.hidden = one.dataset.trust !== which;
    }
  };
  say("looking");
  say(await trusts(await offerName()));
}

/** @param {Element} box */
function trustPage(box) {
  look(box);
  for (const button of box.querySelectorAll("[data-look]")) button.addEventListener("click", () => look(box));
  // Back from the settings of the phone.
  document.addEventListener("visibilitychange", () => { if (!document.hidden) look(box); });
  // An iPad says that it is a Mac.
  if (/Mac OS/.test(navigator.userAgent) && navigator.maxTouchPoints > 1) {
    for (const one of document.querySelectorAll("[data-system]")) {
      if (one instanceof HTMLDetailsElement) one.open = one.dataset.system === "ios";
    }
  }
}

/** One calm line on the pages of a browser that does not know the certificate. @param {HTMLElement} box */
async function hint(box) {
  // Asked once in a tab: each question leaves a line in the console of a browser that says no.
  const seen = remembered(sessionStorage, SEEN) === "no" ? "no" : await trusts(false);
  if (seen !== "no" || remembered(localStorage, CLOSED)) return;
  box.hidden = false;
  box.querySelector("button")?.addEventListener("click", () => {
    remember(localStorage, CLOSED, "1");
    box.hidden = true;
  });
}

export function trust() {
  const page = document.querySelector("[data-trust-page]");
  if (page) { trustPage(page); return; }
  const box = document.querySelector("[data-trust-hint]");
  if (box instanceof HTMLElement) hint(box);
}
