// @ts-check
// The live stream: what changes in the house is shown at once, and so is that it cannot be reached.
import { refresh, say } from "./dom.js";

const KINDS = ["event", "proposal", "device", "conversation", "reset"];
const PATIENCE_MS = 3000;
const AGAIN_MS = 10000;
const SOON_MS = 120;
const LATER_MS = 400;

/** @param {boolean} is */
function connected(is) {
  for (const state of document.querySelectorAll("[data-link]")) {
    if (!(state instanceof HTMLElement)) continue;
    state.hidden = false;
    state.classList.toggle("off", !is);
    state.textContent = say(is ? "js.connected" : "js.not_connected");
  }
  if (is) away(false);
}

/** @param {boolean} is */
function away(is) {
  const banner = document.querySelector("[data-away]");
  if (banner instanceof HTMLElement) banner.hidden = !is;
}

/** @type {Set<string>} */
let waiting = new Set();
let timer = 0;

/** Several facts at once make one look at the server. @param {string} kind */
function soon(kind) {
  waiting.add(kind);
  if (!timer) timer = window.setTimeout(look, SOON_MS);
}

function look() {
  timer = 0;
  // The chat shows an answer while it comes, and looks at the server itself at the end.
  if (document.body.dataset.answering) {
    timer = window.setTimeout(look, LATER_MS);
    return;
  }
  const kinds = waiting;
  waiting = new Set();
  refresh(undefined, (region) => concerns(region, kinds)).catch(() => {});
}

/** @param {Element} region @param {Set<string>} kinds */
function concerns(region, kinds) {
  const wanted = (region instanceof HTMLElement ? region.dataset.fresh || "" : "").split(" ");
  return kinds.has("reset") || wanted.some((one) => kinds.has(one));
}

/** @param {number} more */
function ring(more) {
  for (const bell of document.querySelectorAll("[data-bell]")) {
    let count = bell.querySelector(".count");
    if (!count) {
      count = document.createElement("span");
      count.className = "count";
      count.setAttribute("aria-hidden", "true");
      bell.append(count);
    }
    const number = Number(count.textContent || 0) + more;
    count.textContent = String(number);
    bell.setAttribute("aria-label", say("js.bell", { n: number }));
  }
}

export function follow() {
  if (!document.querySelector("[data-link]")) return;
  const stream = new EventSource("/v1/me/events/stream");
  let lost = 0;
  let was = false;
  stream.addEventListener("open", () => {
    window.clearTimeout(lost);
    lost = 0;
    connected(true);
    if (was) soon("reset");
    was = true;
  });
  stream.addEventListener("error", () => {
    // Refused, as the fifth page of one browser is: that is no lost connection.
    if (stream.readyState === EventSource.CLOSED) { window.setTimeout(follow, AGAIN_MS); return; }
    if (lost) return;
    lost = window.setTimeout(() => {
      connected(false);
      away(true);
    }, PATIENCE_MS);
  });
  for (const kind of KINDS) {
    stream.addEventListener(kind, () => {
      if (kind === "event") ring(1);
      soon(kind);
    });
  }
  addEventListener("pagehide", () => stream.close());
}
