// @ts-check
// The one line of a browser that is a device: docs/protocol.md, sections 3 to 5.

const PATH = "/v1/devices/ws";
const SUBPROTOCOL = "ira.device";
const PING_MS = 30_000;
const SILENCE_MS = 90_000;
const AWAKE_MS = 5_000; // after a sleep the line is believed dead unless it answers soon
const FIRST_MS = 1_000;
const LAST_MS = 60_000;
const ELSEWHERE_MS = 300_000;
const LOCK = "ira.device";

/** @typedef {"connecting" | "on" | "away" | "elsewhere" | "removed" | "refused"} State */
/** @typedef {{ state: (state: State) => void, welcome: (frame: any) => void, event: (frame: any) => void, run: (tool: string, args: any) => Promise<any> }} Heard */

export class Line {
  /** @param {import("./phone-store.js").Device} device @param {() => object[]} tools @param {Heard} heard */
  constructor(device, tools, heard) {
    this.device = device;
    this.tools = tools;
    this.heard = heard;
    /** @type {WebSocket | null} */
    this.socket = null;
    this.delay = FIRST_MS;
    this.retry = 0;
    this.pulse = 0;
    this.deadline = 0;
    this.over = false;
  }

  /** Hold the line for as long as this page lives; only one page of a browser does. */
  start() {
    this.heard.state("elsewhere");
    navigator.locks.request(LOCK, () => {
      this.connect();
      return new Promise(() => {});
    });
    addEventListener("online", () => this.wake());
    addEventListener("pageshow", () => this.wake());
    document.addEventListener("visibilitychange", () => { if (!document.hidden) this.wake(); });
  }

  /** The page was asleep, or the network was: look at the line now, not when its next pulse comes. */
  wake() {
    if (this.over) return;
    if (this.retry) this.connect();
    else if (this.socket?.readyState === WebSocket.OPEN) {
      this.send({ type: "ping" });
      this.expect(AWAKE_MS);
    }
  }

  /** Offer the tools again, since what this browser can do has changed. */
  hello() {
    const { kind, label } = this.device;
    this.send({ type: "hello", kind, label, version: "web", pv: 1, tools: this.tools() });
  }

  /** Leave for good: the server takes the device off its person's list. @returns {Promise<boolean>} whether it heard */
  bye() {
    this.over = true;
    const socket = this.socket;
    if (socket?.readyState !== WebSocket.OPEN) return Promise.resolve(false);
    return new Promise((resolve) => {
      const late = setTimeout(() => resolve(false), AWAKE_MS);
      socket.addEventListener("close", (event) => { clearTimeout(late); resolve(event.code === 1000); });
      this.send({ type: "bye" });
    });
  }

  connect() {
    clearTimeout(this.retry);
    this.retry = 0;
    this.heard.state("connecting");
    // A page can set no header; a token in the address would stand in the log of whatever is between.
    const socket = new WebSocket(`wss://${location.host}${PATH}`, [SUBPROTOCOL, this.device.token]);
    this.socket = socket;
    this.expect(SILENCE_MS);
    socket.addEventListener("open", () => { if (socket === this.socket) this.hello(); });
    socket.addEventListener("message", (message) => { if (socket === this.socket) this.take(JSON.parse(message.data)); });
    socket.addEventListener("close", (event) => { if (socket === this.socket) this.lost(event.code); });
  }

  /** @param {number} ms */
  expect(ms) {
    clearTimeout(this.deadline);
    this.deadline = window.setTimeout(() => this.cut(), ms);
  }

  /** A line that does not answer is given up at once; closing it properly would wait for it. */
  cut() {
    const socket = this.socket;
    this.socket = null;
    socket?.close();
    this.lost(1006);
  }

  /** @param {object} frame */
  send(frame) {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(frame));
  }

  /** @param {any} frame */
  take(frame) {
    this.expect(SILENCE_MS);
    if (frame.type === "ping") this.send({ type: "pong" });
    else if (frame.type === "welcome") this.welcome(frame);
    else if (frame.type === "event") this.heard.event(frame);
    else if (frame.type === "call") this.answer(frame, this.socket);
  }

  /** @param {any} frame */
  welcome(frame) {
    this.delay = FIRST_MS;
    clearInterval(this.pulse);
    this.pulse = window.setInterval(() => this.send({ type: "ping" }), PING_MS);
    this.heard.state("on");
    this.heard.welcome(frame);
  }

  /** @param {{ id: string, tool: string, args: any }} call @param {WebSocket | null} asked */
  async answer(call, asked) {
    const result = await this.heard.run(call.tool, call.args);
    // A call has failed with its line: it is not answered on the next one.
    if (asked === this.socket) this.send({ type: "result", id: call.id, ...result });
  }

  /** @param {number} code */
  async lost(code) {
    clearInterval(this.pulse);
    clearTimeout(this.deadline);
    if (this.over) return;
    if (code === 4400) { this.over = true; this.heard.state("refused"); return; }
    if (code === 4403 || (code === 1006 && (await this.isRemoved()))) { this.over = true; this.heard.state("removed"); return; }
    this.heard.state(code === 4000 ? "elsewhere" : "away");
    const wait = code === 4000 ? ELSEWHERE_MS : code === 1001 ? FIRST_MS : this.delay;
    this.delay = Math.min(this.delay * 2, LAST_MS);
    clearTimeout(this.retry);
    this.retry = window.setTimeout(() => this.connect(), wait * (0.75 + Math.random() / 2));
  }

  /** A browser does not tell a page why an upgrade was refused: ask by another road. */
  async isRemoved() {
    try {
      const reply = await fetch("/v1/me/actions", { credentials: "omit", headers: { Authorization: `Bearer ${this.device.token}` } });
      return reply.status === 401;
    } catch {
      return false;
    }
  }
}
