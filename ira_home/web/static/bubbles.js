// @ts-check
// What stands under the conversation while it grows: words on their way and answers that are being made. Text is added
// to nodes of text, never as markup; when the server has put all of it down, its own rendering takes their place.
import { make, mark, say } from "./dom.js";

const live = /** @type {HTMLElement} */ (document.getElementById("live"));
const jump = document.querySelector("[data-jump]");
const NEAR = 120;
const TOGETHER_MS = 150; // tokens that are shown at once: each look lays the whole paragraph out anew
const REST = 15; // times as long as that took on this machine it rests before the next
const REST_MS = 1000;

export const atEnd = () => innerHeight + scrollY >= document.documentElement.scrollHeight - NEAR;

export function toEnd() {
  scrollTo({ top: document.documentElement.scrollHeight, behavior: "instant" });
  later(false);
}

/** There is something new below that the eye has not been led to. @param {boolean} is */
function later(is) {
  if (jump instanceof HTMLElement) jump.hidden = !is;
}

/** Add something; the eye follows only where it was at the end. @param {() => void} add */
function grow(add) {
  const follows = atEnd();
  add();
  if (follows) toEnd();
  else later(true);
}

/** The person's words. @param {string} id @param {string} text */
export function said(id, text) {
  const words = make("p", "said", text);
  const note = make("p", "said-note");
  const back = /** @type {HTMLButtonElement} */ (make("button", "btn plain", say("js.take_back")));
  back.type = "button";
  words.dataset.words = id;
  note.hidden = true;
  document.querySelector("[data-empty]")?.remove();
  live.append(words, note);
  toEnd();
  return {
    /** They wait, or could not be sent for a reason. @param {string} why @param {() => void} takeBack */
    wait(why, takeBack) {
      words.classList.add("waiting");
      note.replaceChildren(make("span", "", why), back);
      back.onclick = takeBack;
      note.hidden = false;
    },
    sent() { words.classList.remove("waiting"); note.hidden = true; },
    /** @param {number} message */
    taken(message) { words.dataset.message = `e${message}`; },
    remove() { words.remove(); note.remove(); },
  };
}

/** An answer that is being made. */
export function answer() {
  const box = make("div", "reply");
  const body = make("div");
  const doing = make("p", "doing", say("js.thinking"));
  /** @type {Text | null} */
  let text = null;
  let coming = "";
  let rest = 0;
  body.append(doing);
  box.append(mark(), body);
  grow(() => live.append(box));

  /** @param {string} all */
  function write(all) {
    const began = performance.now();
    grow(() => {
      if (!text) {
        doing.remove();
        text = document.createTextNode("");
        const paragraph = make("p", "prose");
        paragraph.append(text, make("i", "caret"));
        body.append(paragraph);
      }
      // Added to the one node: lines that stand already are not broken anew.
      text.appendData(all);
    });
    rest = Math.min(REST_MS, Math.max(TOGETHER_MS, REST * (performance.now() - began)));
  }

  return {
    /** Tokens of one moment are one node and one look at the layout. @param {string} token */
    add(token) {
      if (!coming) window.setTimeout(() => { const all = coming; coming = ""; write(all); }, rest);
      coming += token;
    },
    /** A call is on its way. @param {any} call */
    doing(call) {
      if (call.outcome) return;
      doing.textContent = call.device ? say("js.on_device", { device: call.device }) : say("js.thinking");
      if (!doing.isConnected) grow(() => body.append(doing));
    },
    remove() { box.remove(); },
  };
}

/** Words that the server's page shows need not stand here, too. @param {ParentNode} log */
export function tidy(log) {
  for (const one of live.querySelectorAll("[data-message]")) {
    if (!(one instanceof HTMLElement) || !log.querySelector(`#${one.dataset.message}`)) continue;
    one.nextElementSibling?.remove();
    one.remove();
  }
}

export function follow() {
  jump?.addEventListener("click", toEnd);
  addEventListener("scroll", () => { if (atEnd()) later(false); }, { passive: true });
}
