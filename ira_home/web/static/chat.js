// @ts-check
// The chat: words go into a queue that survives everything but their being sent, answers come as they are made. Without
// this file the same form asks and waits.
import * as bubbles from "./bubbles.js";
import { cards } from "./cards.js";
import { tick } from "./countdown.js";
import { refresh, say } from "./dom.js";
import { signedOut } from "./live.js";
import { upward } from "./past.js";
import { ask, follow, stop } from "./runs.js";
import * as store from "./store.js";

const form = /** @type {HTMLFormElement} */ (document.querySelector("form[data-ask]"));
const box = /** @type {HTMLTextAreaElement} */ (form.elements.namedItem("text"));
const log = /** @type {HTMLElement} */ (document.getElementById("log"));
const status = /** @type {HTMLElement} */ (document.getElementById("chat-status"));
const stopping = /** @type {HTMLButtonElement} */ (form.querySelector("[data-stop]"));
const sending = /** @type {HTMLButtonElement} */ (form.querySelector("[data-send]"));
const SPOKEN = 600; // characters of an answer that a screen reader is handed at once

let conversation = Number(form.dataset.conversation || 0);
// The thread of a conversation without a number outlives a reload as long as something waits in it.
let thread = conversation ? `c${conversation}` : store.waiting().find((one) => !one.conversation)?.thread || crypto.randomUUID();

/** Runs that this page tells, and words of it that the server may be asking Ira: in the order they began.
 * @type {Set<{ run: string, last: number }>} */
const working = new Set();
/** @type {Map<string, ReturnType<typeof bubbles.said>>} */
const shown = new Map();

function show() {
  const is = working.size > 0;
  if (is) document.body.dataset.answering = "1";
  else delete document.body.dataset.answering;
  stopping.hidden = !is;
  sending.hidden = is && !box.value.trim();
  box.placeholder = say(is ? "js.answering_hint" : "js.write");
}

/** @param {{ run: string, last: number }} place @param {boolean} is */
function works(place, is) {
  if (is) working.add(place);
  else working.delete(place);
  show();
  if (is) status.textContent = say("js.answering");
  else document.dispatchEvent(new Event("ira:answered"));
}

/** @param {string} text */
function fault(text) {
  const line = /** @type {HTMLElement} */ (form.querySelector("[data-ask-fault]"));
  const words = line.querySelector("span");
  if (words) words.textContent = text;
  line.hidden = !text;
}

/** A refusal in words. @param {any} problem */
function told(problem) {
  const key = `js.error.${problem.code}`;
  const text = say(key, { minutes: Math.max(1, Math.ceil((problem.retry_after || 0) / 60)) });
  return text === key ? say("js.error") : text;
}

/** The conversation that began here has its number. @param {number} number */
function adopt(number) {
  if (conversation || !number) return;
  conversation = number;
  const path = `/chat/${number}`;
  history.replaceState(null, "", path);
  form.dataset.conversation = String(number);
  form.action = path;
  log.hidden = false;
  log.dataset.fresh = "conversation proposal";
}

async function settle() {
  if (!conversation) return;
  const follows = bubbles.atEnd();
  await refresh(`/chat/${conversation}`).catch(() => {});
  if (follows) bubbles.toEnd();
  tick();
}

/** What a message of a run changes on the page. @param {ReturnType<typeof bubbles.answer>} answer @param {any} message */
function tell(answer, message) {
  if (message.name === "token") answer.add(message.data.text);
  else if (message.name === "tool") answer.doing(message.data);
}

/** A finished answer is read out once. */
function announce() {
  const card = log.querySelector("[data-question] h2");
  const last = [...log.querySelectorAll(".reply")].pop();
  const text = `${last?.textContent || ""} ${card?.textContent || ""}`.replace(/\s+/g, " ").trim();
  status.textContent = text.slice(0, SPOKEN);
}

let isHeld = false; // the queue waits for the line

/** All that is in the queue waits. */
function held() {
  isHeld = true;
  for (const words of store.waiting()) {
    if (!words.failed) shown.get(words.id)?.wait(say("js.waiting"), () => takeBack(words));
  }
}

let starting = 0; // words of this page whose run is not known yet

/** Send one of the waiting; resolves when the server has it, true when the next may go. @param {store.Words} words */
function send(words) {
  const isHere = words.thread === thread || (conversation && words.conversation === conversation);
  const place = { run: "", last: 0 };
  /** @type {ReturnType<typeof bubbles.answer> | null} */
  let answer = null;
  const bubble = isHere ? shown.get(words.id) : undefined;
  starting += 1;
  return new Promise((resolve) => {
    let isKnown = false;
    const next = (/** @type {boolean} */ goesOn) => {
      if (!isKnown) starting -= 1;
      isKnown = true;
      resolve(goesOn);
    };
    const take = (/** @type {any} */ message) => {
      if (message.name === "start") {
        isHeld = false;
        taken(words, message.data.conversation_id);
        bubble?.sent();
        bubble?.taken(message.data.message_id);
        if (isHere && !answer) { answer = bubbles.answer(); works(place, true); }
        next(true);
      }
      if (answer) tell(answer, message);
    };
    ask(words, place, take, held, () => isWaiting(words.id)).then(async (ending) => {
      if (ending.kind === "taken") taken(words, ending.conversation);
      if (ending.kind === "refused") refused(words, ending.problem);
      if (ending.kind === "out") signedOut();
      if (isHere && (place.run || ending.kind === "taken")) await settle();
      answer?.remove();
      if (answer) { works(place, false); announce(); }
      next(ending.kind !== "out");
    });
  });
}

/** @param {string} id */
const isWaiting = (id) => store.waiting().some((one) => one.id === id);

/** The server has them. @param {store.Words} words @param {number} number */
function taken(words, number) {
  store.remove(words.id);
  store.number(words.thread, number);
  if (words.thread === thread) adopt(number);
}

/** @param {store.Words} words */
function takeBack(words) {
  store.remove(words.id);
  shown.get(words.id)?.remove();
  shown.delete(words.id);
  if (!box.value.trim()) box.value = words.text;
  show();
  document.dispatchEvent(new Event("ira:wake"));
}

/** @param {store.Words} words @param {any} problem */
function refused(words, problem) {
  if (!shown.has(words.id)) { store.change(words.id, { failed: told(problem) }); return; }
  takeBack(words);
  fault(told(problem));
}

let isSending = false;

/** One after another, so that what was said first stands first. */
async function drain() {
  if (isSending) return;
  isSending = true;
  try {
    for (;;) {
      const words = store.waiting().find((one) => !one.failed);
      if (!words || !(await send(words))) return;
      attach();
    }
  } finally { isSending = false; }
}

/** @param {string} text */
function speak(text) {
  fault("");
  /** @type {store.Words} */
  const words = { id: crypto.randomUUID(), thread, conversation, text };
  store.add(words);
  // Under an older part of the conversation nothing new can stand.
  if (document.querySelector("[data-newest]")) { location.assign(`/chat/${conversation}`); return; }
  shown.set(words.id, bubbles.said(words.id, text));
  if (isHeld) held();
  drain();
}

/** Runs that the server says are worked on, and that this page does not tell yet. */
function attach() {
  // A run that is not known yet may be one of these.
  if (document.hidden || starting) return;
  for (const one of document.querySelectorAll("[data-run]")) {
    const run = /** @type {HTMLElement} */ (one).dataset.run || "";
    if ([...working].some((place) => place.run === run)) continue;
    const place = { run, last: 0 };
    const answer = bubbles.answer();
    works(place, true);
    follow(place, (message) => tell(answer, message)).then(async (ending) => {
      if (ending.kind === "out") signedOut();
      await settle();
      answer.remove();
      works(place, false);
      announce();
    });
  }
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  const text = box.value.trim();
  if (!text) return;
  box.value = "";
  store.keepDraft(conversation, "");
  speak(text);
  show();
});

box.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && !event.shiftKey && !event.isComposing) { event.preventDefault(); form.requestSubmit(); }
});
box.addEventListener("input", () => { store.keepDraft(conversation, box.value); show(); });

stopping.addEventListener("click", () => {
  const [first] = working;
  if (first?.run) stop(first.run).catch(() => fault(say("js.error")));
});

// Words that are ready to be said: an example, or a question whose time ran out.
document.addEventListener("submit", (event) => {
  const ready = event.target;
  if (!(ready instanceof HTMLFormElement) || !ready.matches("[data-try]")) return;
  event.preventDefault();
  const input = ready.querySelector("input[name=text]");
  if (input instanceof HTMLInputElement) speak(input.value);
}, { capture: true });

document.addEventListener("ira:fresh", () => {
  bubbles.tidy(log);
  attach();
});
document.addEventListener("ira:wake", () => { attach(); drain(); });

if (!box.value) box.value = store.draft(conversation);
for (const words of store.waiting()) {
  if (words.thread !== thread && words.conversation !== conversation) continue;
  const bubble = bubbles.said(words.id, words.text);
  shown.set(words.id, bubble);
  if (words.failed) bubble.wait(words.failed, () => takeBack(words));
}
cards(log, async () => { await settle(); announce(); }, told);
upward();
bubbles.follow();
if (!location.hash || location.hash === "#end") bubbles.toEnd();
attach();
show();
drain();
