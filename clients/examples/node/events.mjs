// Events go out one per 30 seconds; the rest wait here, also while there is no connection.

const DOUBT_MS = 5_000; // an error frame this soon after an event is about the event
const MAX_TRIES = 3;

export class EventQueue {
  #every;
  #waiting = [];
  #send = null;
  #timer = null;
  #last = null; // { event, at, tries } of the last event that went out

  constructor(every) {
    this.#every = every;
  }

  add(event) {
    this.#waiting.push({ event, tries: 0 });
    this.#pump();
  }

  /** A connection is up: `send(event)` says whether it went out. */
  open(send) {
    this.#send = send;
    this.#pump();
  }

  close() {
    this.#send = null;
    clearTimeout(this.#timer);
    this.#timer = null;
  }

  /** The server sent an error frame: if it meant our event, that event goes again later. */
  refused() {
    const last = this.#last;
    if (!last || last.tries >= MAX_TRIES || performance.now() - last.at > DOUBT_MS) return;
    this.#last = { ...last, tries: MAX_TRIES }; // one error frame, one more try
    this.#waiting.unshift({ event: last.event, tries: last.tries });
    this.#pump();
  }

  #pump() {
    if (!this.#send || this.#timer || this.#waiting.length === 0) return;
    const wait = this.#last ? this.#last.at + this.#every - performance.now() : 0;
    if (wait > 0) {
      this.#timer = setTimeout(() => {
        this.#timer = null;
        this.#pump();
      }, wait);
      return;
    }
    const { event, tries } = this.#waiting[0];
    if (!this.#send(event)) return; // the connection is going; the next one sends it
    this.#waiting.shift();
    this.#last = { event, at: performance.now(), tries: tries + 1 };
    this.#pump();
  }
}
