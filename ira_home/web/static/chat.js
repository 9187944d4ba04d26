// @ts-check
// Asking with an answer that comes as it is made. Without this file the same form asks and waits.
import { tick } from "./countdown.js";
import { make, mark, refresh, say } from "./dom.js";
import { messages } from "./sse.js";

const form = /** @type {HTMLFormElement} */ (document.querySelector("form[data-ask]"));
const box = /** @type {HTMLTextAreaElement} */ (form.elements.namedItem("text"));
const log = /** @type {HTMLElement} */ (document.getElementById("log"));
const status = /** @type {HTMLElement} */ (document.getElementById("chat-status"));
const stop = /** @type {HTMLButtonElement} */ (form.querySelector("[data-stop]"));
const send = /** @type {HTMLButtonElement} */ (form.querySelector("[data-send]"));
const TRIES = 5;
const SPOKEN = 600; // characters of an answer that a screen reader is handed at once

let conversation = Number(form.dataset.conversation || 0);
let run = "";

const atEnd = () => innerHeight + scrollY >= document.body.scrollHeight - 120;
const toEnd = () => scrollTo(0, document.body.scrollHeight);

/** @param {boolean} is */
function answering(is) {
  if (is) document.body.dataset.answering = "1";
  else delete document.body.dataset.answering;
  stop.hidden = !is;
  send.hidden = is;
  box.placeholder = say(is ? "js.answering_hint" : "js.write");
  status.textContent = is ? say("js.answering") : "";
}

/** The person's words and an empty answer, until the server's own rendering takes their place.
 * @param {string} text */
function pending(text) {
  document.querySelector("[data-empty]")?.remove();
  log.hidden = false;
  const reply = make("div", "reply");
  const body = make("div");
  const doing = make("p", "doing", say("js.thinking"));
  body.append(doing);
  reply.append(mark(), body);
  if (text) log.append(make("p", "said", text));
  log.append(reply);
  toEnd();
  return { body, doing, text: /** @type {HTMLElement | null} */ (null) };
}

/** @param {{body: HTMLElement, doing: HTMLElement, text: HTMLElement | null}} shown @param {string} token */
function append(shown, token) {
  const follows = atEnd();
  if (!shown.text) {
    shown.doing.remove();
    shown.text = make("p", "prose");
    shown.body.append(shown.text, make("i", "caret"));
  }
  shown.text.append(document.createTextNode(token));
  if (follows) toEnd();
}

/** @param {{body: HTMLElement, doing: HTMLElement}} shown @param {any} data */
function working(shown, data) {
  if (data.outcome) return;
  shown.doing.textContent = data.device ? say("js.on_device", { device: data.device }) : say("js.thinking");
  if (!shown.doing.isConnected) shown.body.append(shown.doing);
}

/** Take one message in; true when it was the last. @param {any} shown @param {any} message */
function take(shown, message) {
  const { name, data } = message;
  if (name === "start") { run = data.run_id; conversation = data.conversation_id; }
  else if (name === "token") append(shown, data.text);
  else if (name === "tool") working(shown, data);
  return name === "done" || name === "error";
}

/** Follow a run to its end, attaching again where the line breaks. @param {any} shown @param {Response} response */
async function followRun(shown, response) {
  let last = 0;
  for (let tries = 0; tries < TRIES; tries += 1) {
    try {
      for await (const message of messages(response)) {
        last = message.id || last;
        tries = 0;
        if (take(shown, message)) return message;
      }
    } catch { /* the line broke: the run goes on, so attach again */ }
    await new Promise((resolve) => setTimeout(resolve, 400 * (tries + 1)));
    if (!run) break;
    try { response = await fetch(`/v1/runs/${encodeURIComponent(run)}/stream?after=${last}`); }
    catch { continue; }
    if (!response.ok) break;
  }
  return null;
}

/** @param {string} text */
function fault(text) {
  const line = /** @type {HTMLElement} */ (form.querySelector("[data-ask-fault]"));
  const words = line.querySelector("span");
  if (words) words.textContent = text;
  line.hidden = !text;
}

/** @param {Response} response */
async function refused(response) {
  if (response.status === 401) { location.assign(`/signin?next=${encodeURIComponent(location.pathname)}`); return ""; }
  const problem = await response.json().catch(() => ({}));
  const key = `js.error.${problem.code}`;
  const text = say(key, { minutes: Math.max(1, Math.ceil((problem.retry_after || 0) / 60)) });
  return text === key ? say("js.error") : text;
}

async function settle() {
  const path = `/chat/${conversation}`;
  if (!form.dataset.conversation && conversation) {
    history.replaceState(null, "", path);
    form.dataset.conversation = String(conversation);
    form.action = path;
    log.dataset.fresh = "conversation proposal";
  }
  await refresh(path);
  toEnd();
  tick();
}

/** @param {string} text */
async function ask(text) {
  fault("");
  answering(true);
  run = "";
  const shown = pending(text);
  const body = JSON.stringify(conversation ? { text, conversation_id: conversation } : { text });
  const headers = { "Content-Type": "application/json", "Idempotency-Key": crypto.randomUUID() };
  let said = "";
  try {
    const response = await fetch("/v1/ask/stream", { method: "POST", headers, body });
    if (response.ok) {
      const end = await followRun(shown, response);
      if (end?.data?.error) said = end.data.error.message;
    } else said = await refused(response);
  } catch { said = say("js.unreachable"); }
  answering(false);
  if (run) await settle().catch(() => { said = say("js.unreachable"); });
  else { restore(shown, text); }
  fault(said);
  announce();
}

/** Nothing was asked: the words go back into their box. @param {any} shown @param {string} text */
function restore(shown, text) {
  const reply = shown.body.parentElement;
  if (reply?.previousElementSibling?.classList.contains("said")) reply.previousElementSibling.remove();
  reply?.remove();
  box.value = text;
}

/** A finished answer is read out once. */
function announce() {
  const card = log.querySelector("[data-question] h2");
  const last = [...log.querySelectorAll(".reply")].pop();
  const text = `${last?.textContent || ""} ${card?.textContent || ""}`.replace(/\s+/g, " ").trim();
  status.textContent = text.slice(0, SPOKEN);
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  const text = box.value.trim();
  if (!text || document.body.dataset.answering) return;
  box.value = "";
  sessionStorage.removeItem("draft");
  ask(text);
});

box.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && !event.shiftKey && !event.isComposing) { event.preventDefault(); form.requestSubmit(); }
});

// What was typed survives a look at another page.
box.addEventListener("input", () => sessionStorage.setItem("draft", box.value));
if (!box.value) box.value = sessionStorage.getItem("draft") || "";

stop.addEventListener("click", () => {
  if (run) fetch(`/v1/runs/${encodeURIComponent(run)}/cancel`, { method: "POST", headers: { "Content-Type": "application/json" } }).catch(() => {});
});

// Words that are ready to be said: an example, or a question whose time ran out.
document.addEventListener("submit", (event) => {
  const ready = event.target;
  if (!(ready instanceof HTMLFormElement) || !ready.matches("[data-try]")) return;
  event.preventDefault();
  const input = ready.querySelector("input[name=text]");
  if (input instanceof HTMLInputElement && !document.body.dataset.answering) ask(input.value);
}, { capture: true });

// An answer to a question: the same form, without leaving the page.
log.addEventListener("submit", async (event) => {
  const answer = event.target;
  if (!(answer instanceof HTMLFormElement) || !answer.matches("[data-answer]")) return;
  event.preventDefault();
  const isYes = /** @type {HTMLButtonElement | null} */ (event.submitter)?.value === "yes";
  const value = (/** @type {string} */ name) => String(new FormData(answer).get(name) || "");
  const path = `/v1/actions/${value("proposal")}/${isYes ? "confirm" : "cancel"}`;
  const pin = value("pin");
  const body = isYes ? { digest: value("digest"), ...(pin ? { pin } : {}) } : {};
  for (const button of answer.querySelectorAll("button")) button.disabled = true;
  status.textContent = say("js.answering");
  await confirm(answer, path, body);
});

/** @param {HTMLFormElement} answer @param {string} path @param {object} body */
async function confirm(answer, path, body) {
  try {
    const response = await fetch(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
    if (response.ok || response.status === 409 || response.status === 410) { await settle(); announce(); return; }
    wrong(answer, await refused(response));
  } catch { wrong(answer, say("js.unreachable")); }
}

/** @param {HTMLFormElement} answer @param {string} text */
function wrong(answer, text) {
  for (const button of answer.querySelectorAll("button")) button.disabled = false;
  const pin = answer.querySelector("input.pin");
  const line = answer.querySelector("[data-fault]");
  if (!(line instanceof HTMLElement)) return;
  line.hidden = false;
  const words = line.querySelector("span");
  if (words) words.textContent = text;
  status.textContent = text;
  if (pin instanceof HTMLInputElement) {
    pin.value = "";
    pin.setAttribute("aria-invalid", "true");
    pin.setAttribute("aria-describedby", line.id);
    pin.focus();
  }
}

if (!location.hash || location.hash === "#end") toEnd();
