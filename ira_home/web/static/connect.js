// @ts-check
// Whether the clocks of this browser and of the server agree: a certificate is good only in its time.
import { say } from "./dom.js";

const APART_MS = 5 * 60_000;

export function compareClocks() {
  const box = document.querySelector("[data-now]");
  const text = box?.querySelector("span");
  if (!(box instanceof HTMLElement) || !text) return;
  // A page that was kept, or came slowly, says nothing about now.
  const [entry] = performance.getEntriesByType("navigation");
  if (entry instanceof PerformanceNavigationTiming && entry.type === "back_forward") return;
  const apart = Math.abs(Date.now() - performance.now() - Number(box.dataset.now));
  if (apart < APART_MS) return;
  text.textContent = say("js.clocks", { n: Math.round(apart / 60_000) });
  box.hidden = false;
}
