// @ts-check
// Rings and bars that count down. The server's own clock decides; this only shows it.
import { refresh } from "./dom.js";

const ended = new WeakSet();
const began = new WeakMap();

/** @param {number} s */
const clock = (s) => `${Math.floor(s / 60)}:${String(s % 60).padStart(2, "0")}`;

/** @param {HTMLElement} one @param {number} left */
function draw(one, left) {
  const all = Number(one.dataset.of);
  const text = one.querySelector("[data-clock]");
  if (text) text.textContent = clock(left);
  one.querySelector("circle + circle")?.setAttribute("stroke-dashoffset", String(100 - (100 * left) / all));
  const bar = one.querySelector("progress");
  if (bar) {
    bar.value = left;
    bar.classList.toggle("low", left < 60);
  }
}

/** @param {HTMLElement} one @param {number} left */
function tell(one, left) {
  const status = document.getElementById("chat-status");
  if (one.dataset.low && left <= 20 && left > 0 && !one.dataset.said && status) {
    one.dataset.said = "1";
    status.textContent = one.dataset.low;
  }
}

/** @param {HTMLElement} one */
function over(one) {
  if (ended.has(one)) return;
  ended.add(one);
  if (one.dataset.over === "reload") location.reload();
  // The server writes the end down a moment later than this clock.
  else setTimeout(() => refresh().catch(() => {}), 1500);
}

export function tick() {
  for (const one of document.querySelectorAll("[data-left]")) {
    if (!(one instanceof HTMLElement)) continue;
    // The server may have said since how much is left.
    if (began.get(one)?.said !== one.dataset.left) began.set(one, { said: one.dataset.left, end: performance.now() + Number(one.dataset.left) * 1000 });
    const left = Math.max(0, Math.ceil((began.get(one).end - performance.now()) / 1000));
    draw(one, left);
    tell(one, left);
    if (left === 0) over(one);
  }
}

export function countDown() {
  tick();
  setInterval(tick, 1000);
}
