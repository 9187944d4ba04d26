// @ts-check
// One stream of live news for all tabs of a browser: the tab that holds the lock listens, the others hear it from there.
// A browser opens six lines to a server and no more: a stream a tab would leave none for asking.

const KINDS = ["event", "proposal", "device", "conversation", "log", "reset"];
const NAME = "ira.live";
const AGAIN_MS = 3000;
const REFUSED_MS = 10000;
const LOOK_MS = 4000;

/** @typedef {"up" | "lost" | "out"} State there, not to be reached, or signed out */

/** @param {(kind: string) => void} onNews @param {(state: State) => void} onState
 * @returns {() => void} what looks at once whether the line is still good */
export function listen(onNews, onState) {
  const others = "BroadcastChannel" in window ? new BroadcastChannel(NAME) : null;
  /** @type {EventSource | null} */
  let source = null;
  /** @type {State | ""} */
  let state = "";
  let leads = false, timer = 0;
  let release = () => {};
  let waits = new AbortController();

  /** @param {{ kind?: string, state?: State }} told */
  const hear = (told) => {
    if (told.state) onState(told.state);
    if (told.kind) onNews(told.kind);
  };
  /** @param {{ kind?: string, state?: State }} told */
  const tell = (told) => { hear(told); others?.postMessage(told); };
  /** @param {State} now */
  const become = (now) => { state = now; tell({ state: now }); };

  if (others) {
    others.onmessage = ({ data }) => {
      if (data.ask) { if (leads) answer(data.ask); } else if (!leads) hear(data);
    };
  }

  /** @param {string} question */
  function answer(question) {
    if (question === "look") look();
    else if (state) others?.postMessage({ state });
  }

  /** @param {number} ms */
  function later(ms) {
    window.clearTimeout(timer);
    timer = window.setTimeout(open, ms);
  }

  function open() {
    window.clearTimeout(timer);
    source?.close();
    const made = new EventSource("/v1/me/events/stream");
    source = made;
    made.addEventListener("open", () => {
      const missed = state !== "";
      become("up");
      // What happened while nobody listened.
      if (missed) tell({ kind: "reset" });
    });
    made.addEventListener("error", () => {
      if (made.readyState === EventSource.CLOSED) examine();
      else become("lost");
    });
    for (const kind of KINDS) made.addEventListener(kind, () => tell({ kind }));
  }

  // A stream says of a refusal no more than that it was one.
  async function examine() {
    const status = await reach();
    if (status === 401) { source?.close(); become("out"); return; }
    become(status ? "up" : "lost");
    later(status ? REFUSED_MS : AGAIN_MS);
  }

  /** The status of a small answer, 0 when there is none. */
  async function reach() {
    try {
      return (await fetch("/v1/me", { cache: "no-store", signal: AbortSignal.timeout(LOOK_MS) })).status;
    } catch {
      return 0;
    }
  }

  async function look() {
    if (!leads) { others?.postMessage({ ask: "look" }); return; }
    if (source?.readyState === EventSource.OPEN && (await reach()) === 200) { become("up"); tell({ kind: "reset" }); return; }
    open();
  }

  function lead() {
    leads = true;
    open();
    return new Promise((resolve) => { release = () => resolve(undefined); });
  }

  function take() {
    if (!navigator.locks || !others) { lead(); return; }
    waits = new AbortController();
    others.postMessage({ ask: "state" });
    // Whoever takes over from another tab cannot know what was told meanwhile.
    navigator.locks.request(NAME, { ifAvailable: true }, (lock) => (lock ? lead() : null)).then(() => {
      if (!leads) return navigator.locks.request(NAME, { signal: waits.signal }, () => { state = state || "lost"; return lead(); });
    }).catch(() => {});
  }

  take();
  addEventListener("pagehide", () => {
    window.clearTimeout(timer);
    source?.close();
    waits.abort();
    leads = false;
    release();
  });
  addEventListener("pageshow", (event) => { if (event.persisted) take(); });
  return look;
}
