// The WebSocket client against a server that plays by the rules, and one that does not.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { ID, makePki, noOpenssl, startServer, tempFolder, within } from '../fake/server.mjs';
import { clientFrame, MAX_MESSAGE, serverFrame } from '../frames.mjs';
import { trust } from '../pairing.mjs';
import { connect } from '../socket.mjs';

const skip = noOpenssl;
const text = (words) => Buffer.from(words);

async function pair(t, options) {
  const pki = makePki(tempFolder(t));
  const server = await startServer(t, pki, options);
  const opened = connect({ host: '127.0.0.1', port: server.port, path: '/v1/devices/ws', headers: { Authorization: 'Bearer x' }, tls: trust({ id: ID, ca: pki.caPem }) });
  if (options) return { server, opened };
  const [ws, peer] = await Promise.all([opened, server.device()]);
  return { ws, peer, server, closed: within('close', once(ws, 'close')) };
}

test('frames of a client are masked, in all three lengths', () => {
  for (const [size, head] of [[125, 6], [126, 8], [65535, 8], [65536, 14]]) {
    const frame = clientFrame(1, Buffer.alloc(size, 'x'));
    assert.equal(frame.length, head + size);
    assert.equal(frame[0], 0x81);
    assert.ok(frame[1] & 0x80);
    assert.equal(frame[head] ^ frame[head - 4], 'x'.charCodeAt(0));
  }
});

test('a frame of a server is read only when it is all there', () => {
  const frame = Buffer.from([0x81, 126, 0, 200, ...Buffer.alloc(200, 'y')]);
  assert.deepEqual(serverFrame(frame.subarray(0, 1)), { need: 2 });
  assert.deepEqual(serverFrame(frame.subarray(0, 3)), { need: 4 });
  assert.deepEqual(serverFrame(frame.subarray(0, 100)), { need: 204 });
  assert.equal(serverFrame(Buffer.concat([frame, frame])).size, 204);
});

test('the handshake carries the headers, and messages go both ways', { skip }, async (t) => {
  const { ws, peer, server } = await pair(t);
  const { headers, sni } = server.requests[0];
  assert.equal(headers.authorization, 'Bearer x');
  assert.equal(headers['sec-websocket-version'], '13');
  assert.equal(sni, `ira-${ID}.local`);
  for (const words of ['hi', 'ä'.repeat(100), 'x'.repeat(70_000), 'z'.repeat(MAX_MESSAGE)]) {
    const heard = once(ws, 'message');
    peer.raw(1, text(words));
    assert.equal((await within('message', heard))[0], words);
    ws.send(words);
    const frame = await peer.frame();
    assert.ok(frame.masked);
    assert.equal(frame.payload.toString(), words);
  }
  assert.throws(() => ws.send('z'.repeat(MAX_MESSAGE + 1)), RangeError);
});

test('fragments are put together, with a ping answered in between', { skip }, async (t) => {
  const { ws, peer } = await pair(t);
  const heard = once(ws, 'message');
  const euro = text('€');
  peer.raw(1, Buffer.concat([text('a'), euro.subarray(0, 1)]), { fin: false });
  peer.raw(9, text('are you there'));
  peer.raw(0, Buffer.alloc(0), { fin: false });
  peer.raw(0, euro.subarray(1));
  assert.equal((await within('message', heard))[0], 'a€');
  const pong = await peer.frame();
  assert.deepEqual([pong.opcode, pong.masked, pong.payload.toString()], [10, true, 'are you there']);
});

test('a message sent along with the handshake arrives, and so does one in single bytes', { skip }, async (t) => {
  const pki = makePki(tempFolder(t));
  const server = await startServer(t, pki, { greeting: [0x81, 2, 121, 111] });
  const ws = await connect({ host: '127.0.0.1', port: server.port, path: '/', tls: trust({ id: ID, ca: pki.caPem }) });
  const first = once(ws, 'message');
  const peer = await server.device();
  assert.equal((await within('message', first))[0], 'yo');
  const heard = once(ws, 'message');
  for (const byte of [0x81, 2, 104, 105]) {
    peer.socket.write(Buffer.from([byte]));
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  assert.equal((await within('message', heard))[0], 'hi');
});

test('a close of the server is answered with its code', { skip }, async (t) => {
  for (const code of [1000, 1001, 4000, 4403]) {
    const { peer, closed } = await pair(t);
    assert.equal(await peer.close(code), code);
    assert.equal((await closed)[0], code);
  }
});

test('a close of ours goes out with its code, and nothing after it', { skip }, async (t) => {
  const { ws, peer, closed } = await pair(t);
  ws.close(1000, 'done');
  assert.equal(ws.send('late'), false);
  const frame = await peer.frame();
  assert.deepEqual([frame.opcode, frame.payload.readUInt16BE(0)], [8, 1000]);
  peer.raw(8, frame.payload.subarray(0, 2));
  assert.equal((await closed)[0], 1000);
});

test('a lost connection is 1006, a close without a code 1005', { skip }, async (t) => {
  const lost = await pair(t);
  lost.peer.socket.destroy();
  assert.equal((await lost.closed)[0], 1006);
  const bare = await pair(t);
  bare.peer.raw(8, Buffer.alloc(0));
  assert.equal((await bare.closed)[0], 1005);
});

const violations = {
  'a masked frame': [1002, (peer) => peer.socket.write(Buffer.from([0x81, 0x80, 0, 0, 0, 0]))],
  'reserved bits': [1002, (peer) => peer.socket.write(Buffer.from([0xc1, 0]))],
  'an unknown opcode': [1002, (peer) => peer.raw(3, text(''))],
  'a ping in fragments': [1002, (peer) => peer.raw(9, text(''), { fin: false })],
  'a long ping': [1002, (peer) => peer.raw(9, Buffer.alloc(126))],
  'a continuation of nothing': [1002, (peer) => peer.raw(0, text('x'))],
  'a new message inside another': [1002, (peer) => { peer.raw(1, text('x'), { fin: false }); peer.raw(1, text('y')); }],
  'a close code of one byte': [1002, (peer) => peer.raw(8, Buffer.alloc(1))],
  'a reserved close code': [1002, (peer) => peer.raw(8, Buffer.from([3, 238]))],
  'bytes that are no UTF-8': [1007, (peer) => peer.raw(1, Buffer.from([0xff]))],
  'a binary message': [1003, (peer) => peer.raw(2, text('x'))],
  'a frame over the limit': [1009, (peer) => peer.raw(1, text(''), { length: MAX_MESSAGE + 1 })],
  'fragments over the limit': [1009, (peer) => { peer.raw(1, Buffer.alloc(MAX_MESSAGE, 'x'), { fin: false }); peer.raw(0, text('x')); }],
};
for (const [name, [code, act]] of Object.entries(violations)) {
  test(`the client closes with ${code} on ${name}`, { skip }, async (t) => {
    const { ws, peer, closed } = await pair(t);
    ws.on('message', () => assert.fail('no message should come out of this'));
    act(peer);
    const frame = await peer.frame();
    assert.deepEqual([frame.opcode, frame.payload.readUInt16BE(0)], [8, code]);
    assert.equal((await closed)[0], code);
  });
}

test('what is not a WebSocket handshake is refused', { skip }, async (t) => {
  const denied = await pair(t, { upgrade: 'HTTP/1.1 401 Unauthorized\r\ncontent-length: 0\r\n\r\n' });
  await assert.rejects(denied.opened, { status: 401 });
  for (const upgrade of [
    'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: bm90IGl0\r\n\r\n',
    'HTTP/1.1 101 Switching Protocols\r\n\r\n',
  ]) {
    const { opened } = await pair(t, { upgrade });
    await assert.rejects(opened, /not a WebSocket handshake/);
  }
});
