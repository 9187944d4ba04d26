// @ts-check
// A conversation read upward: older parts are fetched when they are wanted, and the place of the eye stays.
import { beforehand, page } from "./dom.js";

const more = document.querySelector("[data-older]");
const older = document.getElementById("log-older");
let busy = false;

async function up() {
  const link = more?.querySelector("a");
  if (!link || !older || busy || !(more instanceof HTMLElement) || more.hidden) return;
  busy = true;
  try {
    const found = await page(link.href);
    const height = document.documentElement.scrollHeight;
    older.prepend(...[...(found.getElementById("log")?.children || [])].map((one) => document.adoptNode(one)));
    scrollBy({ top: document.documentElement.scrollHeight - height, behavior: "instant" });
    step(found);
  } catch { /* the link is still there */ } finally { busy = false; }
}

/** The link to what is older still, as a page has it. @param {ParentNode} found */
function step(found) {
  const next = found.querySelector("[data-older]");
  if (!(more instanceof HTMLElement) || !next) return;
  more.hidden = next.hasAttribute("hidden");
  more.querySelector("a")?.setAttribute("href", next.querySelector("a")?.getAttribute("href") || "");
}

/** The server's page begins later the longer the conversation gets; what it leaves out stays here.
 * @param {Element} log @param {Element} fresh */
function hold(log, fresh) {
  const first = fresh.firstElementChild?.id;
  const at = [...log.children].findIndex((one) => one.id === first);
  if (older && at > 0) older.append(...[...log.children].slice(0, at));
  if (at !== -1 || !log.children.length) return;
  // So much is new that it does not hang together: read on from the page that came.
  older?.replaceChildren();
  step(fresh.ownerDocument);
}

export function upward() {
  beforehand.set("log", hold);
  more?.querySelector("a")?.addEventListener("click", (event) => { event.preventDefault(); up(); });
  if (!more || !("IntersectionObserver" in window)) return;
  let moved = false;
  addEventListener("wheel", () => { moved = true; }, { passive: true });
  addEventListener("touchmove", () => { moved = true; }, { passive: true });
  new IntersectionObserver((seen) => { if (moved && seen.some((one) => one.isIntersecting)) up(); }, { rootMargin: "400px 0px 0px" }).observe(more);
}
