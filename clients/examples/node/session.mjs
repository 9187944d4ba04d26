// A paired device at work: connect, hello, answer calls, send events, come back when
// the connection drops. Everything secret travels over the pinned connection only.

import { setTimeout as sleep } from 'node:timers/promises';
import { EventQueue } from './events.mjs';
import { fetchCa, isFingerprint, trust } from './pairing.mjs';
import { clean, Refusal, Revoked } from './refusal.mjs';
import { connect } from './socket.mjs';
import { offer, runTool } from './tools.mjs';

export const VERSION = '0.1.0';

export const TIMING = {
  ping: 30_000,
  silence: 90_000, // nothing heard for so long: the connection is dead
  welcome: 15_000,
  call: 24_000, // the server gives a call 25 s
  event: 30_500, // one per 30 s, and a little for the way
  stable: 30_000, // a connection this long ends the growth of the delay
  firstDelay: 1_000,
  maxDelay: 60_000,
};

const TOOLS_BEFORE_WELCOME = 30; // a server that names no maxTools takes 30

/** Opens the device socket of a pairing. A server that cannot prove itself is a Refusal. */
async function open(pairing, signal) {
  try {
    return await connect({
      host: pairing.host,
      port: pairing.port,
      path: pairing.websocket,
      headers: { Authorization: `Bearer ${pairing.token}` },
      tls: trust(pairing),
      signal,
    });
  } catch (error) {
    if (error.untrusted) {
      throw new Refusal(`this is not the server this device was paired with (${clean(error.untrusted)}); nothing was sent to it`);
    }
    throw error;
  }
}

/**
 * The same for a server whose CA may have changed to the one it announced (`nextFp`). Answers the
 * socket and the pairing as it is now: the announced CA takes the place of the old one once it was met.
 */
async function openFollowing(pairing, signal) {
  try {
    return { ws: await open(pairing, signal), pairing };
  } catch (error) {
    if (!(error instanceof Refusal) || !pairing.nextFp) throw error;
    const { nextFp: fp, ...known } = pairing;
    const met = { ...known, fp, ca: await fetchCa({ ...known, fp }) };
    return { ws: await open(met, signal), pairing: met };
  }
}

const isUnknownToken = (error) => error.status === 401 || error.status === 403;

export class Device {
  #pairing;
  #keep;
  #tools;
  #log;
  #warn;
  #timing;
  #events;
  #maxTools = TOOLS_BEFORE_WELCOME;
  #failures = 0; // since the last connection that stayed

  /** `keep(pairing)` writes down what has become of the pairing; it may throw a Refusal. */
  constructor({ pairing, tools, log, warn, keep = () => {}, timing = {} }) {
    this.#pairing = pairing;
    this.#keep = keep;
    this.#tools = tools;
    this.#log = log;
    this.#warn = warn;
    this.#timing = { ...TIMING, ...timing };
    this.#events = new EventQueue(this.#timing.event);
  }

  announce(title, text) {
    const cut = (words, limit) => [...words].slice(0, limit).join('');
    this.#events.add({ type: 'event', event: 'task_done', title: cut(title, 120), text: cut(text, 1000) });
  }

  /** Stays connected until `signal` aborts; throws a Refusal when there is no coming back. */
  async run(signal) {
    while (!signal.aborted) {
      const end = await this.#connection(signal);
      if (signal.aborted) return;
      const delay = this.#delayAfter(end);
      this.#warn(`not connected (${end.why}); trying again in ${(delay / 1000).toFixed(1)} s`);
      await sleep(delay, undefined, { signal }).catch(() => {});
    }
  }

  #delayAfter({ code, why, error, lasted }) {
    if (code === 4403) throw new Revoked('this device was removed on the server: its token is forgotten');
    if (code === 4400) throw new Refusal(`the server refused this device's hello: ${error || why}`);
    if (code === 4000) throw new Refusal('a newer connection of this device took over: this one stops');
    if (lasted >= this.#timing.stable) this.#failures = 0;
    const failures = this.#failures++;
    // A server that restarts is back soon: once at once, and only then with a delay.
    if (code === 1001 && failures === 0) return 0;
    const longest = Math.min(this.#timing.maxDelay, this.#timing.firstDelay * 2 ** Math.min(failures, 16));
    return longest * (0.5 + Math.random() / 2);
  }

  /** One connection from start to end; answers how it ended. */
  async #connection(signal) {
    let ws;
    try {
      const opened = await openFollowing(this.#pairing, signal);
      ws = opened.ws;
      this.#become(opened.pairing);
    } catch (error) {
      ws?.terminate();
      if (error instanceof Refusal) throw error;
      if (isUnknownToken(error)) {
        throw new Refusal(`the server does not accept this device's token (HTTP ${error.status}): "bye" forgets it`);
      }
      return { why: clean(error.code ?? error.message), lasted: 0 };
    }
    return new Promise((resolve) => {
      const timing = this.#timing;
      const up = { ws, welcomed: 0, offered: 0, error: '' };
      const noWelcome = setTimeout(() => ws.close(1000, 'no welcome'), timing.welcome);
      const beat = setInterval(() => {
        if (performance.now() - ws.lastHeard > timing.silence) ws.terminate();
        else send(ws, { type: 'ping' });
      }, timing.ping);
      const stop = () => ws.close(1000, 'stopping');
      signal.addEventListener('abort', stop);

      ws.on('message', (text) => {
        const frame = parse(text);
        if (frame?.type === 'welcome') clearTimeout(noWelcome);
        if (frame) this.#take(up, frame);
      });
      ws.on('close', (code, reason) => {
        clearTimeout(noWelcome);
        clearInterval(beat);
        signal.removeEventListener('abort', stop);
        this.#events.close();
        const lasted = up.welcomed ? performance.now() - up.welcomed : 0;
        resolve({ code, why: clean(reason) || `close code ${code}`, error: up.error, lasted });
      });
      this.#hello(up);
      if (signal.aborted) stop();
    });
  }

  #hello(up) {
    const tools = offer(this.#tools, this.#maxTools);
    up.offered = tools.length;
    const { kind, label } = this.#pairing;
    send(up.ws, { type: 'hello', kind, label: label || 'Node device', version: VERSION, tools });
  }

  #take(up, frame) {
    switch (frame.type) {
      case 'welcome':
        return this.#welcome(up, frame);
      case 'pins':
        return this.#pins(up, frame.pins);
      case 'call':
        return void this.#call(up, frame);
      case 'ping':
        return void send(up.ws, { type: 'pong' });
      case 'error':
        up.error = clean(frame.error);
        return up.welcomed ? this.#events.refused() : undefined;
      default: // pong, and whatever a later protocol adds
        return undefined;
    }
  }

  #become(pairing) {
    if (pairing === this.#pairing) return;
    this.#keep(pairing);
    this.#pairing = pairing;
  }

  /**
   * The server's pins, the one in force first. The next one is on the disk before the ping that follows is
   * answered, as the server takes the pong for "read"; where it cannot be kept, nothing more is answered.
   */
  #pins(up, pins) {
    const { nextFp, ...known } = this.#pairing;
    const next = Array.isArray(pins) ? pins.find((pin) => isFingerprint(pin) && pin !== known.fp) : undefined;
    if (next === nextFp) return;
    try {
      this.#become(next ? { ...known, nextFp: next } : known);
    } catch (error) {
      this.#warn(clean(error.message));
      up.ws.terminate();
    }
  }

  #welcome(up, { deviceId, maxTools, pins }) {
    this.#pins(up, pins);
    this.#maxTools = Number.isInteger(maxTools) && maxTools >= 0 ? maxTools : TOOLS_BEFORE_WELCOME;
    if (!up.welcomed) {
      up.welcomed = performance.now();
      this.#log(`connected as device ${Number.isInteger(deviceId) ? deviceId : this.#pairing.deviceId}`);
      this.#events.open((event) => send(up.ws, event));
    }
    // A server that takes more tools than we dared to offer gets a second hello.
    if (offer(this.#tools, this.#maxTools).length > up.offered) this.#hello(up);
  }

  async #call(up, { id, tool, args }) {
    if (typeof id !== 'string' || id.length > 200) return; // nothing to answer to
    // The name only: arguments and results are the person's own business.
    const named = typeof tool === 'string' && /^[a-z][a-z0-9_]{2,40}$/.test(tool);
    this.#log(`call ${named ? tool : '(no tool name)'}`);
    const answer = await runTool(this.#tools, tool, args, this.#timing.call);
    send(up.ws, { type: 'result', id, ...answer });
  }
}

/** Tells the server this device is being uninstalled. Answers the line to print. */
export async function sayBye(pairing, timeout = 15_000) {
  let ws;
  try {
    ({ ws } = await openFollowing(pairing));
  } catch (error) {
    if (error instanceof Refusal) throw error;
    if (isUnknownToken(error)) return 'the server had removed this device already; its token is forgotten';
    throw new Refusal(`the server cannot be reached (${clean(error.code ?? error.message)}): this device is still paired`);
  }
  const timer = setTimeout(() => ws.terminate(), timeout);
  const ended = new Promise((resolve) => ws.on('close', resolve));
  send(ws, { type: 'bye' });
  const code = await ended;
  clearTimeout(timer);
  // Only a proper close says the token is revoked; a lost connection says nothing.
  if (![1000, 1005, 4403].includes(code)) throw new Refusal(`the server did not confirm the goodbye (close code ${code}): try again`);
  return 'goodbye: this device is no longer paired';
}

const send = (ws, frame) => ws.send(JSON.stringify(frame));

function parse(text) {
  try {
    const frame = JSON.parse(text);
    return typeof frame === 'object' && frame !== null ? frame : null;
  } catch {
    return null;
  }
}
