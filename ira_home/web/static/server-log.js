// @ts-check
// The log goes on while it is looked at; whoever reads holds it still.
import { refresh, say } from "./dom.js";

const LOOK_MS = 45000; // the server tells of new lines for some time after each look

const region = document.getElementById("server-log");
const pause = document.querySelector("[data-pause]");
let looked = Date.now();

function look() {
  if (document.hidden || !region?.dataset.fresh) return;
  looked = Date.now();
  refresh(undefined, (one) => one === region).catch(() => {});
}

if (region && pause instanceof HTMLElement) {
  const held = { text: pause.textContent || "", fresh: region.dataset.fresh || "" };
  pause.hidden = false;
  pause.addEventListener("click", () => {
    const holds = Boolean(region.dataset.fresh);
    region.dataset.fresh = holds ? "" : held.fresh;
    pause.setAttribute("aria-pressed", String(holds));
    pause.textContent = holds ? say("js.log_go_on") : held.text;
    look();
  });
  window.setInterval(look, LOOK_MS);
  document.addEventListener("visibilitychange", () => { if (Date.now() - looked > LOOK_MS) look(); });
  document.addEventListener("ira:wake", () => { if (Date.now() - looked > LOOK_MS) look(); });
}
