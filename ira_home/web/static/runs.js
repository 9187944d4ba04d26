// @ts-check
// Asking, and following an answer to its end whatever happens to the line: a run goes on at the server, is known by
// its id, and its messages by their numbers, so nothing of it is shown twice and nothing is left out.
import { messages } from "./sse.js";
import * as store from "./store.js";

const AGAIN_MS = [300, 1000, 2000, 4000, 8000];
const JSON_HEADERS = { "Content-Type": "application/json" };
const GIVE_UP = 4; // answers of a server that is there and cannot

/** @typedef {{ run: string, last: number }} Place how far a run was heard */
/** @typedef {{ name: string, id: number, data: any }} Message */
/** @typedef {{ kind: "end", message: Message } | { kind: "gone" | "out" } | { kind: "taken", conversation: number } | { kind: "refused", problem: any }} Ending */

/** Wait a while, or until something says that it is worth trying now. @param {number} tries */
export function pause(tries) {
  return new Promise((resolve) => {
    const done = () => { window.clearTimeout(timer); document.removeEventListener("ira:wake", done); resolve(undefined); };
    const timer = window.setTimeout(done, AGAIN_MS[Math.min(tries, AGAIN_MS.length - 1)]);
    document.addEventListener("ira:wake", done);
  });
}

/** Hear a stream to its end; null when the line broke before. @param {Response} response @param {AbortController} line
 * @param {Place} place @param {(message: Message) => void} take @returns {Promise<Message | null>} */
async function hear(response, line, place, take) {
  try {
    for await (const message of messages(response, () => line.abort())) {
      if (message.id && message.id <= place.last) continue;
      place.last = message.id || place.last;
      if (message.name === "start") place.run = message.data.run_id;
      take(message);
      if (message.name === "done" || message.name === "error") return message;
    }
  } catch { /* the run goes on */ }
  return null;
}

/** A request whose line is cut when this browser wakes up: it may hang on a network that is no longer there.
 * @param {string} path @param {RequestInit} [how] */
async function open(path, how = {}) {
  const line = new AbortController();
  const slept = () => line.abort();
  document.addEventListener("ira:slept", slept);
  const close = () => document.removeEventListener("ira:slept", slept);
  try {
    return { response: await fetch(path, { cache: "no-store", ...how, signal: line.signal }), line, close };
  } catch {
    close();
    return null;
  }
}

/** Follow a run from where it was heard. @param {Place} place @param {(message: Message) => void} take
 * @returns {Promise<Ending>} */
export async function follow(place, take) {
  for (let tries = 0; ; tries += 1) {
    const found = await open(`/v1/runs/${encodeURIComponent(place.run)}/stream?after=${place.last}`);
    if (found) {
      const { response, line, close } = found;
      if (response.ok) {
        const before = place.last;
        const end = await hear(response, line, place, take);
        close();
        if (end) return { kind: "end", message: end };
        if (place.last > before) tries = 0;
      } else {
        close();
        if (response.status === 401) return { kind: "out" };
        if (response.status === 404) return { kind: "gone" };
      }
    }
    await pause(tries);
  }
}

/** Send words that wait until the server has them, always under their one key; `take` hears the answer begin.
 * @param {store.Words} words @param {Place} place @param {(message: Message) => void} take
 * @param {() => void} held called when they have to wait @param {() => boolean} wanted whether they are still to be sent
 * @returns {Promise<Ending>} */
export async function ask(words, place, take, held, wanted) {
  store.change(words.id, { tried: true });
  const body = JSON.stringify(words.conversation ? { text: words.text, conversation_id: words.conversation } : { text: words.text });
  const how = { method: "POST", headers: { ...JSON_HEADERS, "Idempotency-Key": words.id }, body };
  let refusals = 0;
  for (let tries = 0; wanted(); tries += 1) {
    const found = await open("/v1/ask/stream", how);
    if (found?.response.ok) {
      const end = await hear(found.response, found.line, place, take);
      found.close();
      if (end) return { kind: "end", message: end };
      if (place.run) return follow(place, take);
    } else if (found) {
      const problem = await found.response.json().catch(() => ({}));
      found.close();
      const ending = judged(found.response.status, problem);
      if (ending) return ending;
      if (found.response.status >= 500 && (refusals += 1) > GIVE_UP) return { kind: "refused", problem };
    }
    held();
    await pause(tries);
  }
  return { kind: "gone" };
}

/** What an answer that is no stream says of the words; null when they are to be sent again.
 * @param {number} status @param {any} problem @returns {Ending | null} */
function judged(status, problem) {
  if (status === 401) return { kind: "out" };
  if (problem.code === "already_done") return { kind: "taken", conversation: problem.conversation_id };
  if (status >= 500 || status === 429 || ["busy", "in_progress"].includes(problem.code)) return null;
  return { kind: "refused", problem };
}

/** Stop a run; what it said so far stays. @param {string} run */
export const stop = (run) => fetch(`/v1/runs/${encodeURIComponent(run)}/cancel`, { method: "POST", headers: JSON_HEADERS });
