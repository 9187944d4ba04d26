// A fake Ira for the tests: a CA of its own (made with the openssl command), the pairing
// route and the device socket. It has its own few lines of WebSocket, so that the client
// is not tested against itself.

import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import https from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const ID = 'k3x9';
export const TOKEN = `irad_${'a'.repeat(43)}`;
const DEVICE = new URL('../device.mjs', import.meta.url).pathname;

/** The reason to skip, or false. */
export const noOpenssl = (() => {
  try {
    execFileSync('openssl', ['version'], { stdio: 'ignore' });
    return false;
  } catch {
    return 'the openssl command is not installed';
  }
})();

export function tempFolder(t) {
  const folder = mkdtempSync(join(tmpdir(), 'ira-node-test-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A CA and a leaf for `name`; the fingerprint is openssl's, not our own code's. */
export function makePki(folder, name = `ira-${ID}.local`) {
  const at = (file) => join(folder, file);
  const openssl = (...args) => execFileSync('openssl', args, { cwd: folder, stdio: ['ignore', 'pipe', 'ignore'] });
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
  writeFileSync(at('req.cnf'), '[req]\ndistinguished_name=dn\n[dn]\n[ca]\nbasicConstraints=critical,CA:TRUE\nkeyUsage=keyCertSign\n');
  writeFileSync(at('leaf.ext'), `subjectAltName=DNS:${name}\nbasicConstraints=CA:FALSE\nextendedKeyUsage=serverAuth\n`);
  openssl('req', '-x509', ...newKey, '-config', 'req.cnf', '-extensions', 'ca', '-subj', '/CN=Fake Ira CA', '-days', '2', '-keyout', 'ca.key', '-out', 'ca.pem');
  openssl('req', ...newKey, '-config', 'req.cnf', '-subj', '/CN=fake', '-keyout', 'leaf.key', '-out', 'leaf.csr');
  openssl('x509', '-req', '-in', 'leaf.csr', '-CA', 'ca.pem', '-CAkey', 'ca.key', '-set_serial', '7', '-days', '2', '-extfile', 'leaf.ext', '-out', 'leaf.pem');
  writeFileSync(at('ca.pub'), openssl('x509', '-in', 'ca.pem', '-noout', '-pubkey'));
  const spki = openssl('pkey', '-pubin', '-in', 'ca.pub', '-outform', 'DER');
  return {
    caPem: readFileSync(at('ca.pem'), 'utf8'),
    caDer: openssl('x509', '-in', 'ca.pem', '-outform', 'DER'),
    fp: createHash('sha256').update(spki).digest('base64url'),
    key: readFileSync(at('leaf.key')),
    cert: readFileSync(at('leaf.pem')),
  };
}

/** Starts a server; `answer` is what POST /v1/devices/pair gives, `caDer` what /ca.crt gives. */
export async function startServer(t, pki, { caDer = pki.caDer, answer = {}, upgrade, greeting = '', port = 0 } = {}) {
  const requests = [];
  const sockets = new Set();
  const peers = [];
  const waiting = [];
  const server = https.createServer({ key: pki.key, cert: pki.cert }, async (req, res) => {
    let body = '';
    for await (const chunk of req) body += chunk;
    requests.push({ method: req.method, url: req.url, body, sni: req.socket.servername, headers: req.headers });
    if (req.url === '/ca.crt') return res.writeHead(200, { 'content-type': 'application/x-x509-ca-cert' }).end(caDer);
    const { status = 201, headers = {}, json = {} } = answer;
    const paired = { device_id: 3, token: TOKEN, kind: 'linux', label: 'Desk', skills: [], name: 'Ira', websocket: '/v1/devices/ws' };
    return res.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(status < 300 ? { ...paired, ...json } : json));
  });
  server.on('connection', (socket) => sockets.add(socket.on('error', () => {}).on('close', () => sockets.delete(socket))));
  server.on('tlsClientError', () => {});
  server.on('upgrade', (req, socket) => {
    socket.on('error', () => {});
    requests.push({ method: 'UPGRADE', url: req.url, headers: req.headers, sni: req.socket.servername });
    const accept = createHash('sha1').update(`${req.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64');
    const head = upgrade ?? `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`;
    const peer = new Peer(socket);
    if (!head.startsWith('HTTP/1.1 101')) return socket.end(head);
    socket.write(Buffer.concat([Buffer.from(head), Buffer.from(greeting)])); // one write: it may come in one piece
    return waiting.length ? waiting.shift()(peer) : peers.push(peer);
  });
  await new Promise((resolve) => server.listen(port, '127.0.0.1', resolve));
  const stop = () => new Promise((resolve) => {
    for (const socket of sockets) socket.destroy();
    server.close(resolve);
  });
  t.after(stop);
  const self = {
    requests,
    stop,
    port: server.address().port,
    link: (fp = pki.fp, id = ID) => `https://127.0.0.1:${self.port}/pair#code=ABCDEFGH&fp=${fp}&id=${id}`,
    /** The next device that connects. */
    device: () => within('a device connects', new Promise((resolve) => (peers.length ? resolve(peers.shift()) : waiting.push(resolve)))),
  };
  return self;
}

/** The server's end of one WebSocket. */
class Peer {
  #bytes = Buffer.alloc(0);
  #frames = [];
  #waiting = [];

  constructor(socket) {
    this.socket = socket;
    socket.on('data', (chunk) => {
      this.#bytes = Buffer.concat([this.#bytes, chunk]);
      this.#read();
    });
    socket.on('close', () => this.#give({ opcode: -1, payload: Buffer.alloc(0) }));
  }

  #read() {
    for (;;) {
      const b = this.#bytes;
      const short = (b[1] ?? 0) & 0x7f;
      const start = 2 + (short === 126 ? 2 : short === 127 ? 8 : 0);
      if (b.length < start) return;
      const length = short === 126 ? b.readUInt16BE(2) : short === 127 ? Number(b.readBigUInt64BE(2)) : short;
      if (b.length < start + 4 + length) return;
      const mask = b.subarray(start, start + 4);
      const payload = Buffer.from(b.subarray(start + 4, start + 4 + length).map((byte, i) => byte ^ mask[i % 4]));
      this.#bytes = b.subarray(start + 4 + length);
      this.#give({ opcode: b[0] & 15, masked: b[1] > 127, payload });
    }
  }

  #give(frame) {
    if (this.#waiting.length) this.#waiting.shift()(frame);
    else this.#frames.push(frame);
  }

  frame() {
    return within('a frame', new Promise((resolve) => (this.#frames.length ? resolve(this.#frames.shift()) : this.#waiting.push(resolve))));
  }

  /** The next JSON message that `wanted` takes; others are passed over. */
  async message(wanted = () => true) {
    for (;;) {
      const { opcode, payload } = await this.frame();
      if (opcode !== 1) throw new Error(`wanted a message, got opcode ${opcode} ${payload.toString('hex')}`);
      const message = JSON.parse(payload.toString('utf8'));
      if (wanted(message)) return message;
    }
  }

  raw(opcode, payload, { fin = true, length = payload.length } = {}) {
    const head = Buffer.alloc(length < 126 ? 2 : length < 65536 ? 4 : 10);
    head[0] = (fin ? 0x80 : 0) | opcode;
    head[1] = length < 126 ? length : length < 65536 ? 126 : 127;
    if (head.length === 4) head.writeUInt16BE(length, 2);
    if (head.length === 10) head.writeBigUInt64BE(BigInt(length), 2);
    this.socket.write(Buffer.concat([head, payload]));
  }

  send(message) {
    this.raw(1, Buffer.from(JSON.stringify(message)));
  }

  /** Sends a close frame, waits for the echo and answers its code. */
  async close(code) {
    const payload = Buffer.alloc(2);
    payload.writeUInt16BE(code);
    this.raw(8, payload);
    for (;;) {
      const frame = await this.frame();
      if (frame.opcode !== 8 && frame.opcode !== -1) continue;
      this.socket.end();
      return frame.opcode === 8 ? frame.payload.readUInt16BE(0) : null;
    }
  }
}

export function within(what, promise, ms = 8000) {
  let timer;
  const late = new Promise((_, reject) => { timer = setTimeout(() => reject(new Error(`too late: ${what}`)), ms); });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

/** Runs the command line as a person would; `line()` is the next line of stdout. */
export function cli(t, args, { input, env = {} } = {}) {
  const child = spawn(process.execPath, [DEVICE, ...args], { env: { ...process.env, ...env } });
  const run = { child, stdout: '', stderr: '' };
  const lines = [];
  const waiting = [];
  let rest = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    run.stdout += text;
    rest += text;
    const parts = rest.split('\n');
    rest = parts.pop();
    for (const part of parts) (waiting.length ? waiting.shift()(part) : lines.push(part));
  });
  child.stderr.setEncoding('utf8').on('data', (text) => { run.stderr += text; });
  if (input !== undefined) child.stdin.end(input);
  run.ended = new Promise((resolve) => child.on('close', (code) => resolve(code)));
  run.end = () => within('the program ends', run.ended);
  run.line = () => within('a line', new Promise((resolve) => (lines.length ? resolve(lines.shift()) : waiting.push(resolve))));
  t.after(() => child.kill('SIGKILL'));
  return run;
}
