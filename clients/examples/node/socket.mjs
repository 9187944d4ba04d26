// A minimal WebSocket client (RFC 6455) over node:tls: text messages, fragments put
// together again, ping and pong frames, the closing handshake with its codes, and a
// limit of 1 MiB a message. No extensions, no subprotocols, no binary messages.

import { createHash, randomBytes } from 'node:crypto';
import { EventEmitter } from 'node:events';
import tls from 'node:tls';
import { clientFrame, closePayload, decode, MAX_MESSAGE, OP, readClose, serverFrame, Violation } from './frames.mjs';

const GUID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
const MAX_HEAD = 16 * 1024;
const LINGER_MS = 1_000; // how long the other side gets to finish a close

/**
 * Opens a WebSocket. The promise fails with an Error that may carry `untrusted` (the
 * certificate did not check out, and why) or `status` (an HTTP answer that is not
 * 101). The headers, the token among them, are written only after TLS has verified.
 */
export function connect({ host, port, path, headers = {}, tls: trust, timeout = 15_000, signal }) {
  return new Promise((resolve, reject) => {
    const key = randomBytes(16).toString('base64');
    const socket = tls.connect({ host, port, ...trust });
    let head = Buffer.alloc(0);

    const fail = (error) => {
      settle();
      if (socket.authorizationError) error.untrusted = String(socket.authorizationError);
      socket.destroy();
      reject(error);
    };
    const onAbort = () => fail(new Error('stopped'));
    const onClose = () => fail(new Error('the connection was closed'));
    const onSecure = () => {
      if (!socket.authorized) return fail(new Error('the certificate is not trusted'));
      return socket.write(upgradeRequest({ host, port, path, key, headers }));
    };
    const onData = (chunk) => {
      head = Buffer.concat([head, chunk]);
      const end = head.indexOf('\r\n\r\n');
      if (end < 0 && head.length <= MAX_HEAD) return undefined;
      try {
        if (end < 0) throw new Error('the answer has no end');
        checkUpgrade(head.subarray(0, end).toString('latin1'), key);
      } catch (error) {
        return fail(error);
      }
      settle();
      return resolve(new WebSocketClient(socket, head.subarray(end + 4)));
    };
    const settle = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      socket.off('error', fail).off('close', onClose).off('secureConnect', onSecure).off('data', onData);
      socket.on('error', () => {}); // a later error is no news of its own: 'close' follows it
    };

    const timer = setTimeout(() => fail(new Error('no answer in time')), timeout);
    signal?.addEventListener('abort', onAbort);
    socket.on('error', fail).on('close', onClose).on('secureConnect', onSecure).on('data', onData);
  });
}

function upgradeRequest({ host, port, path, key, headers }) {
  const name = host.includes(':') ? `[${host}]` : host;
  const lines = Object.entries({
    Host: port === 443 ? name : `${name}:${port}`,
    Upgrade: 'websocket',
    Connection: 'Upgrade',
    'Sec-WebSocket-Key': key,
    'Sec-WebSocket-Version': '13',
    ...headers,
  }).map(([header, value]) => `${header}: ${value}`);
  return `GET ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`;
}

function checkUpgrade(text, key) {
  const [first, ...lines] = text.split('\r\n');
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(first)?.[1]);
  if (!status) throw new Error('the answer is not HTTP');
  if (status !== 101) throw Object.assign(new Error(`HTTP ${status}`), { status });
  const headers = new Map(lines.map((line) => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()];
  }));
  const good = headers.get('upgrade')?.toLowerCase() === 'websocket'
    && /(^|,)\s*upgrade\s*(,|$)/i.test(headers.get('connection') ?? '')
    && headers.get('sec-websocket-accept') === createHash('sha1').update(key + GUID).digest('base64')
    && !headers.has('sec-websocket-extensions') && !headers.has('sec-websocket-protocol');
  if (!good) throw new Error('the answer is not a WebSocket handshake');
}

/** Emits 'message' (text) and, once and last, 'close' (code, reason). */
class WebSocketClient extends EventEmitter {
  lastHeard = performance.now();
  #socket;
  #chunks; // bytes not yet read as frames,
  #have; // how many,
  #need = 2; // and how many the next step wants
  #fragments = null; // the payloads so far of a message in fragments
  #fragmentBytes = 0;
  #closing = false; // our close frame is on its way
  #end = null; // { code, reason } once the end is known

  constructor(socket, rest) {
    super();
    this.#socket = socket;
    this.#chunks = [rest];
    this.#have = rest.length;
    socket.on('data', (chunk) => this.#feed(chunk));
    socket.on('close', () => {
      this.emit('close', this.#end?.code ?? 1006, this.#end?.reason ?? '');
      this.removeAllListeners();
    });
    // Bytes that came with the handshake wait until the caller has its listeners on.
    setImmediate(() => this.#feed(Buffer.alloc(0)));
  }

  /** Sends one text message; false when the connection is closing. */
  send(text) {
    const payload = Buffer.from(text, 'utf8');
    if (payload.length > MAX_MESSAGE) throw new RangeError('message too big');
    return this.#write(OP.TEXT, payload);
  }

  /** Starts the closing handshake; 'close' follows, within a second at the latest. */
  close(code = 1000, reason = '') {
    this.#write(OP.CLOSE, closePayload(code, reason));
    this.#linger();
  }

  /** Drops the connection without a word (close code 1006). */
  terminate() {
    this.#socket.destroy();
  }

  #write(opcode, payload) {
    if (this.#closing || !this.#socket.writable) return false;
    this.#closing = opcode === OP.CLOSE;
    this.#socket.write(clientFrame(opcode, payload));
    return true;
  }

  #feed(chunk) {
    if (this.#end) return; // whatever still comes in is not read
    this.lastHeard = performance.now();
    this.#chunks.push(chunk);
    this.#have += chunk.length;
    try {
      while (!this.#end && this.#have >= this.#need) {
        const buffer = this.#chunks.length === 1 ? this.#chunks[0] : Buffer.concat(this.#chunks);
        const frame = serverFrame(buffer);
        const rest = frame.need ? buffer : buffer.subarray(frame.size);
        this.#chunks = [rest];
        this.#have = rest.length;
        this.#need = frame.need ?? 2;
        if (!frame.need) this.#take(frame);
      }
    } catch (error) {
      if (!(error instanceof Violation)) throw error;
      this.#end = { code: error.code, reason: error.message };
      this.close(error.code, error.message);
    }
  }

  #take({ fin, opcode, payload }) {
    if (opcode === OP.PING) this.#write(OP.PONG, payload);
    else if (opcode === OP.CLOSE) this.#closed(payload);
    else if (opcode === OP.BINARY) throw new Violation(1003, 'text only');
    else if (opcode !== OP.PONG) this.#data(opcode, fin, payload);
  }

  /** A text frame, or a further fragment of one. */
  #data(opcode, fin, payload) {
    if ((opcode === OP.CONTINUE) !== (this.#fragments !== null)) throw new Violation(1002, 'fragments out of order');
    this.#fragments ??= [];
    this.#fragmentBytes += payload.length;
    if (this.#fragmentBytes > MAX_MESSAGE) throw new Violation(1009, 'message too big');
    if (payload.length) this.#fragments.push(payload);
    if (!fin) return;
    const text = decode(Buffer.concat(this.#fragments));
    this.#fragments = null;
    this.#fragmentBytes = 0;
    this.emit('message', text);
  }

  /** The server's close frame: answer with the same code and let go. */
  #closed(payload) {
    this.#end = readClose(payload);
    this.#write(OP.CLOSE, payload.subarray(0, 2));
    this.#socket.end();
    this.#linger();
  }

  #linger() {
    setTimeout(() => this.#socket.destroy(), LINGER_MS).unref();
  }
}
