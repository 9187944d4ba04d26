// @ts-check
// The page of a browser that is a device: whether it is connected, what Ira may do here, and what she did.
import { Line } from "./phone-line.js";
import { openCamera, shut } from "./phone-photo.js";
import { allowSound, mayRing } from "./phone-ring.js";
import { claim, forget, kept, kindHere, onChange } from "./phone-store.js";
import { notice, run, TOOLS } from "./phone-tools.js";
import { share } from "./phone-share.js";

const DID_SHOWN = 20;

/** @param {string} name @returns {HTMLElement[]} */
const parts = (name) => /** @type {HTMLElement[]} */ ([...document.querySelectorAll(`[data-${name}]`)]);

/** @param {string} name @param {string} value show only the parts of this value */
function only(name, value) {
  for (const one of parts(name)) one.hidden = one.getAttribute(`data-${name}`) !== value;
}

/** @param {string} name @param {string} text */
function write(name, text) {
  for (const one of parts(name)) one.textContent = text;
}

const device = kept();
only("phone", device ? "device" : "none");
onChange(() => location.reload());
if (device) live(device);
else join();

/** A code that is typed here is claimed here. */
function join() {
  const form = document.querySelector("form[data-join]");
  const kind = kindHere();
  for (const one of parts("computer")) one.hidden = Boolean(kind);
  if (!(form instanceof HTMLFormElement)) return;
  form.hidden = !kind;
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const code = /** @type {HTMLInputElement} */ (form.elements.namedItem("code")).value;
    const fault = await claim(code, kind);
    if (!fault) { location.reload(); return; }
    for (const one of parts("fault")) { one.textContent = fault; one.className = "error"; one.hidden = false; }
  });
}

/** @param {import("./phone-store.js").Device} device */
function live(device) {
  write("label", device.label);
  write("assistant", device.name);
  const line = new Line(device, () => TOOLS.filter((one) => one.can()).map((one) => one.define), {
    state: (state) => {
      only("state", state);
      for (const door of parts("door")) door.classList.toggle("lit", state === "on");
      if (state === "removed") gone();
    },
    welcome: (frame) => abilities(new Set(frame.skills)),
    event: (frame) => { did("bell", `${frame.device}: ${frame.title}`); notice(frame.title, frame.device); },
    run: async (tool, args) => {
      const result = await run(tool, args);
      did(result.ok ? "check" : "alert", result.ok ? result.content.summary : String(result.error));
      return result;
    },
  });
  abilities(new Set());
  for (const button of parts("allow")) button.addEventListener("click", () => allow(button.dataset.allow || ""));
  document.addEventListener("ira:notice", (event) => {
    write("notice-text", /** @type {CustomEvent} */ (event).detail);
    for (const one of parts("notice")) one.hidden = false;
  });
  for (const one of parts("notice-close")) one.addEventListener("click", () => { for (const box of parts("notice")) box.hidden = true; });
  // Any touch is taken as leave to ring: a browser asks for one, and says nothing of it.
  addEventListener("pointerdown", () => allowSound().then(permissions), { once: true });
  for (const button of parts("leave")) button.addEventListener("click", () => leave(line));
  for (const one of parts("ios")) one.hidden = device.kind !== "ios";
  share(device);
  permissions();
  line.start();
}

/** @param {Set<string>} on the skills that are switched on */
function abilities(on) {
  for (const row of parts("skill")) {
    const skill = row.dataset.skill || "";
    const tool = TOOLS.find((one) => one.define.skill === skill);
    const state = !tool?.can() ? "cannot" : on.has(skill) ? "on" : "off";
    for (const pill of row.querySelectorAll("[data-is]")) {
      if (pill instanceof HTMLElement) pill.hidden = pill.dataset.is !== state;
    }
    row.classList.toggle("is-on", state === "on");
  }
  permissions();
}

/** The permissions that this browser has not given yet, each with its button. */
async function permissions() {
  const wanted = { ring: !mayRing(), location: await isOpen("geolocation"), camera: "mediaDevices" in navigator && await isOpen("camera"), notify: "Notification" in window && Notification.permission === "default" };
  for (const button of parts("allow")) {
    const name = /** @type {keyof typeof wanted} */ (button.dataset.allow);
    button.hidden = !wanted[name] || !button.closest(".is-on");
  }
}

/** Whether the person has not been asked yet. @param {string} name */
async function isOpen(name) {
  try {
    return (await navigator.permissions.query({ name: /** @type {PermissionName} */ (name) })).state === "prompt";
  } catch {
    return true; // a browser that does not tell is asked
  }
}

/** Let the browser ask the person, by their touch. @param {string} name */
async function allow(name) {
  try {
    if (name === "ring") await allowSound();
    if (name === "notify") await Notification.requestPermission();
    if (name === "camera") shut(await openCamera());
    if (name === "location") await new Promise((resolve) => navigator.geolocation.getCurrentPosition(resolve, resolve));
  } catch (error) {
    console.info("not allowed", error);
  }
  permissions();
}

/** @param {string} icon @param {string} text */
function did(icon, text) {
  const list = document.querySelector("[data-did]");
  const model = document.querySelector("template[data-did-row]");
  if (!list || !(model instanceof HTMLTemplateElement)) return;
  const row = /** @type {DocumentFragment} */ (model.content.cloneNode(true));
  for (const one of row.querySelectorAll("[data-icon]")) if (one.getAttribute("data-icon") !== icon) one.remove();
  row.querySelector("[data-said]")?.append(text);
  row.querySelector("time")?.append(new Intl.DateTimeFormat(document.documentElement.lang, { timeStyle: "short" }).format(new Date()));
  list.prepend(row);
  while (list.children.length > DID_SHOWN) list.lastElementChild?.remove();
  for (const one of parts("did-none")) one.hidden = true;
}

/** @param {Line} line */
async function leave(line) {
  const sheet = document.getElementById("phone-leave");
  if (!(sheet instanceof HTMLDialogElement)) return;
  sheet.showModal();
  sheet.querySelector("[data-no]")?.addEventListener("click", () => sheet.close(), { once: true });
  sheet.querySelector("[data-go]")?.addEventListener("click", async () => {
    const heard = await line.bye();
    forget();
    sheet.close();
    only("phone", heard ? "left" : "left_alone");
  }, { once: true });
}

/** The person took this device off their list. */
function gone() {
  forget();
  only("phone", "removed");
}
