// The frames of a WebSocket (RFC 6455, section 5), as pure functions.

import { randomBytes } from 'node:crypto';

export const MAX_MESSAGE = 1024 * 1024;
export const OP = { CONTINUE: 0, TEXT: 1, BINARY: 2, CLOSE: 8, PING: 9, PONG: 10 };

/** The other side broke the protocol; `code` is the close code it gets. */
export class Violation extends Error {
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}

/** One final frame as a client sends it: masked with four fresh random bytes. */
export function clientFrame(opcode, payload) {
  const n = payload.length;
  const extra = n < 126 ? 0 : n < 65536 ? 2 : 8;
  const start = 2 + extra + 4;
  const frame = Buffer.alloc(start + n);
  frame[0] = 0x80 | opcode;
  frame[1] = 0x80 | (extra === 0 ? n : extra === 2 ? 126 : 127);
  if (extra === 2) frame.writeUInt16BE(n, 2);
  if (extra === 8) frame.writeBigUInt64BE(BigInt(n), 2);
  const mask = randomBytes(4);
  mask.copy(frame, start - 4);
  for (let i = 0; i < n; i++) frame[start + i] = payload[i] ^ mask[i & 3];
  return frame;
}

/** The frame at the start of `buffer`, or `{ need }` bytes when it is not all there. */
export function serverFrame(buffer) {
  if (buffer.length < 2) return { need: 2 };
  const fin = (buffer[0] & 0x80) !== 0;
  const opcode = buffer[0] & 0x0f;
  if (buffer[0] & 0x70) throw new Violation(1002, 'reserved bits');
  if (!Object.values(OP).includes(opcode)) throw new Violation(1002, 'unknown opcode');
  if (buffer[1] & 0x80) throw new Violation(1002, 'a server must not mask');
  let length = buffer[1] & 0x7f;
  let start = 2;
  if (opcode >= OP.CLOSE && (!fin || length > 125)) throw new Violation(1002, 'bad control frame');
  if (length === 126) {
    start = 4;
    if (buffer.length < start) return { need: start };
    length = buffer.readUInt16BE(2);
  } else if (length === 127) {
    start = 10;
    if (buffer.length < start) return { need: start };
    length = Number(buffer.readBigUInt64BE(2)); // imprecise only far above the limit
  }
  if (length > MAX_MESSAGE) throw new Violation(1009, 'message too big');
  const size = start + length;
  return buffer.length < size ? { need: size } : { fin, opcode, size, payload: buffer.subarray(start, size) };
}

/** The payload of a close frame. */
export function closePayload(code, reason = '') {
  const payload = Buffer.alloc(2);
  payload.writeUInt16BE(code);
  return Buffer.concat([payload, Buffer.from(reason, 'utf8').subarray(0, 120)]);
}

/** The other way round: 1005 stands for a close frame without a code. */
export function readClose(payload) {
  if (payload.length === 0) return { code: 1005, reason: '' };
  const code = payload.length >= 2 ? payload.readUInt16BE(0) : 0;
  const usual = (code >= 1000 && code <= 1014 && ![1004, 1005, 1006].includes(code)) || (code >= 3000 && code <= 4999);
  if (!usual) throw new Violation(1002, 'bad close code');
  return { code, reason: decode(payload.subarray(2)) };
}

/** UTF-8 and nothing else. */
export function decode(bytes) {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new Violation(1007, 'not UTF-8');
  }
}
