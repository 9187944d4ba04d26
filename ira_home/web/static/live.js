// @ts-check
// What changes in the house is shown at once, and so is that it cannot be reached. Never does a page clear itself, load
// itself anew or say that somebody is signed out because a line is broken.
import { refresh, say } from "./dom.js";
import { listen } from "./stream.js";

const PATIENCE_MS = 3000;
const LONG_MS = 15000;
const SOON_MS = 120;
const AWAY_MS = 20000; // so long out of sight, and lines may be dead without a word
const hours = new Intl.DateTimeFormat(document.documentElement.lang === "hi" ? "hi-IN" : "en-IN", { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });

let heard = new Date(); // when this page was last known to be right
let isUp = true;
let isOld = false; // a newer program answers
let timers = [0, 0];
/** @type {() => void} */
let look = () => {};

/** @param {string} name @param {boolean} is @param {string} [text] */
function banner(name, is, text = "") {
  const box = document.querySelector(`[data-${name}]`);
  if (!(box instanceof HTMLElement)) return;
  const words = box.querySelector("[data-text]");
  if (words && text) words.textContent = text;
  box.hidden = !is;
}

/** @param {boolean} is */
function shown(is) {
  for (const state of document.querySelectorAll("[data-link]")) {
    if (!(state instanceof HTMLElement)) continue;
    state.hidden = false;
    state.classList.toggle("off", !is);
    state.textContent = say(is ? "js.connected" : "js.not_connected");
  }
}

function up() {
  heard = new Date();
  const was = isUp;
  isUp = true;
  timers.forEach(window.clearTimeout);
  timers = [0, 0];
  shown(true);
  banner("away", false);
  banner("out", false);
  if (!was) wake();
}

function lost() {
  isUp = false;
  if (!timers[0]) patience();
}

// A page that nobody sees is in no hurry to complain; it begins to count when it is seen.
function patience() {
  timers.forEach(window.clearTimeout);
  timers = document.hidden ? [0, 0] : [
    window.setTimeout(() => { shown(false); banner("away", true, say("js.trying")); }, PATIENCE_MS),
    window.setTimeout(() => banner("away", true, say("js.away", { time: hours.format(heard) })), LONG_MS),
  ];
}

function out() {
  timers.forEach(window.clearTimeout);
  shown(false);
  banner("away", false);
  banner("out", true);
  const link = document.querySelector("[data-out] a");
  if (link instanceof HTMLAnchorElement) link.href = `/signin?next=${encodeURIComponent(location.pathname)}`;
}

/** Whoever waits for the line tries now. */
export const wake = () => document.dispatchEvent(new Event("ira:wake"));

/** The person is not signed in any more. */
export const signedOut = out;

/** @type {Set<string>} */
let waiting = new Set();
let timer = 0;

/** Several facts at once make one look at the server. @param {string} kind */
function soon(kind) {
  heard = new Date();
  // Only where the log is looked at; elsewhere nothing is fetched for it.
  if (kind === "log" && !document.querySelector('[data-fresh~="log"]')) return;
  waiting.add(kind);
  if (!timer) timer = window.setTimeout(renewed, SOON_MS);
}

function renewed() {
  timer = 0;
  const kinds = waiting;
  waiting = new Set();
  refresh(undefined, (region) => concerns(region, kinds)).catch(() => {});
}

/** @param {Element} region @param {Set<string>} kinds */
function concerns(region, kinds) {
  const wanted = (region instanceof HTMLElement ? region.dataset.fresh || "" : "").split(" ");
  return kinds.has("reset") || wanted.some((one) => kinds.has(one));
}

/** The bell of a page that was fetched a moment ago. @param {Document} fresh */
function ring(fresh) {
  const bell = document.querySelector("[data-bell]");
  const other = fresh.querySelector("[data-bell]");
  if (!bell || !other || bell.isEqualNode(other)) return;
  bell.replaceWith(document.adoptNode(other));
  count();
}

const title = document.title;

/** How much is new stands on the tab, and on the app where it is installed. */
function count() {
  const bell = document.querySelector("[data-bell]");
  const unread = Number(bell instanceof HTMLElement ? bell.dataset.bell || 0 : 0);
  document.title = unread ? `(${unread}) ${title}` : title;
  const app = /** @type {any} */ (navigator);
  if (app.setAppBadge) app.setAppBadge(unread).catch(() => {});
}

/** A program of another version answers: this page is of the one before. @param {Document} fresh */
function compare(fresh) {
  const version = (/** @type {Document} */ page) => page.querySelector('script[src^="/static/"]')?.getAttribute("src")?.split("/")[2];
  isOld = isOld || Boolean(version(fresh)) && version(fresh) !== version(document);
  offer();
}

// Not while an answer is coming.
function offer() {
  if (isOld && !document.body.dataset.answering) banner("updated", true);
}

export function follow() {
  if (!document.querySelector("[data-link]")) return;
  look = listen(soon, (state) => ({ up, lost, out })[state]());
  document.addEventListener("ira:fetched", (event) => {
    const fresh = /** @type {CustomEvent} */ (event).detail;
    ring(fresh);
    compare(fresh);
  });
  document.addEventListener("ira:answered", offer);
  document.querySelector("[data-away] a")?.addEventListener("click", (event) => { event.preventDefault(); look(); wake(); });
  document.querySelector("[data-updated-go]")?.addEventListener("click", () => location.reload());
  watch();
  count();
}

// After sleep, in another network, back from another tab.
function watch() {
  let since = 0;
  const back = (/** @type {boolean} */ slept) => {
    if (slept) document.dispatchEvent(new Event("ira:slept"));
    if (slept || !isUp) look();
    wake();
  };
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) { since = Date.now(); return; }
    if (!isUp) patience();
    back(Date.now() - since > AWAY_MS);
  });
  addEventListener("offline", lost);
  addEventListener("online", () => back(true));
  addEventListener("pageshow", (event) => { if (event.persisted) back(true); });
}
