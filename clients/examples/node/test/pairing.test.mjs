// The link, the pin and the claim, through the command line where it matters.

import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { cli, ID, makePki, noOpenssl, startServer, tempFolder, TOKEN } from '../fake/server.mjs';
import { fingerprint, parseLink } from '../pairing.mjs';
import { Refusal } from '../refusal.mjs';

const FP = Buffer.alloc(32, 7).toString('base64url');
const skip = noOpenssl;

test('a link is read', () => {
  const link = parseLink(`https://ira.example:8443/pair#code=ABCDEFGH&fp=${FP}&id=k3x9\n`);
  assert.deepEqual(link, { host: 'ira.example', port: 8443, code: 'ABCD-EFGH', fp: FP, id: 'k3x9' });
  assert.equal(parseLink(`https://[::1]/pair#id=a&fp=${FP}&code=abcd-efgh`).host, '::1');
  assert.equal(parseLink(`https://h/pair#id=a&fp=${FP}&code=abcd-efgh`).port, 443);
});

test('what is not a whole link is refused', () => {
  for (const bad of [
    '', 'hello', `http://h/pair#code=ABCDEFGH&fp=${FP}&id=a`, `https://h/other#code=ABCDEFGH&fp=${FP}&id=a`,
    `https://u:p@h/pair#code=ABCDEFGH&fp=${FP}&id=a`, 'https://h/pair#code=ABCDEFGH', // a link without a pin
    `https://h/pair#code=ABCDEFGH&fp=${FP}`, `https://h/pair#code=ABCDEFG&fp=${FP}&id=a`,
    `https://h/pair#code=ABCDEFGH&fp=${FP.slice(1)}&id=a`, `https://h/pair#code=ABCDEFGH&fp=${FP.slice(0, 42)}d&id=a`,
    `https://h/pair#code=ABCDEFGH&fp=${FP}&id=a.evil.example`, `https://h/pair#code=ABCDEFGH&fp=${FP}&fp=${FP}&id=a`,
  ]) assert.throws(() => parseLink(bad), Refusal, bad);
});

test('the fingerprint is the one openssl computes', { skip }, (t) => {
  const pki = makePki(tempFolder(t));
  assert.equal(fingerprint(new X509Certificate(pki.caDer)), pki.fp);
});

test('pair keeps the token in a 0600 file in a 0700 folder and shows it nowhere', { skip }, async (t) => {
  const folder = tempFolder(t);
  const server = await startServer(t, makePki(folder));
  const file = join(folder, 'new', 'state.json');
  const run = cli(t, ['pair', '--link', '-', '--kind', 'linux', '--state', file], { input: `${server.link()}\n` });
  assert.equal(await run.end(), 0, run.stderr);
  assert.equal(run.stdout, 'paired as device 3\n');
  assert.equal(run.stderr, '');
  assert.equal(statSync(file).mode & 0o777, 0o600);
  assert.equal(statSync(join(folder, 'new')).mode & 0o777, 0o700);
  assert.equal(JSON.parse(readFileSync(file, 'utf8')).token, TOKEN);
  assert.deepEqual(readdirSync(join(folder, 'new')), ['state.json']);

  const [ca, claim] = server.requests;
  assert.equal(server.requests.length, 2);
  assert.deepEqual([ca.method, ca.url, ca.body], ['GET', '/ca.crt', '']);
  assert.ok(!JSON.stringify(ca).includes('EFGH'));
  assert.deepEqual([claim.method, claim.url, claim.sni], ['POST', '/v1/devices/pair', `ira-${ID}.local`]);
  assert.deepEqual(JSON.parse(claim.body), { code: 'ABCD-EFGH', kind: 'linux' });

  const again = cli(t, ['pair', '--link', server.link(), '--kind', 'linux'], { env: { IRA_NODE_STATE: file } });
  assert.equal(await again.end(), 1);
  assert.match(again.stderr, /^this device is paired already/);
  assert.equal(server.requests.length, 2); // the second code was not spent
});

// Each of these servers must never see the code, also when the environment asks for no checks.
const impostors = {
  'another CA': (ours, theirs) => ({ pki: theirs, options: {}, says: /^this is not the server you scanned\n$/ }),
  'our CA shown, a leaf of another': (ours, theirs) => ({ pki: theirs, options: { caDer: ours.caDer }, says: /^this is not the server you scanned: its certificate/ }),
  'our CA, a leaf of another name': (ours, theirs, named) => ({ pki: named, options: {}, says: /ERR_TLS_CERT_ALTNAME_INVALID/, fp: named.fp }),
  'our CA with another one behind it': (ours, theirs) => ({ pki: theirs, options: { caDer: ours.caPem + theirs.caPem }, says: /^this is not the server you scanned: its certificate/ }),
  'no certificate at all': (ours) => ({ pki: ours, options: { caDer: 'hello' }, says: /^this is not the server you scanned: its CA certificate cannot be read/ }),
};
for (const [name, setUp] of Object.entries(impostors)) {
  test(`an impostor never sees the code: ${name}`, { skip }, async (t) => {
    const folder = tempFolder(t);
    const make = (sub, ...rest) => {
      mkdirSync(join(folder, sub));
      return makePki(join(folder, sub), ...rest);
    };
    const ours = make('ours');
    const { pki, options, says, fp = ours.fp } = setUp(ours, make('theirs'), make('named', '127.0.0.1.example'));
    const server = await startServer(t, pki, options);
    const file = join(folder, 'state.json');
    writeFileSync(join(folder, 'extra.pem'), pki.caPem);
    const env = { NODE_TLS_REJECT_UNAUTHORIZED: '0', NODE_EXTRA_CA_CERTS: join(folder, 'extra.pem'), NODE_NO_WARNINGS: '1' };
    const run = cli(t, ['pair', '--link', server.link(fp), '--kind', 'linux', '--state', file], { env });
    assert.equal(await run.end(), 1);
    assert.match(run.stderr, says);
    assert.equal(run.stderr.split('\n').length, 2, 'one sentence, no stack');
    assert.deepEqual(server.requests.map(({ url }) => url), ['/ca.crt']);
    assert.ok(!existsSync(file));
    assert.ok(!readdirSync(folder).some((each) => each.endsWith('.tmp')));
  });
}

const refusals = [
  [{ status: 410 }, /^the pairing code is wrong, used or expired/],
  [{ status: 429, headers: { 'retry-after': '840' } }, /^too many wrong pairing codes from this address: try again in 14 min\n$/],
  [{ status: 409, json: { detail: 'This code is for a\u001b[31m Mac.' } }, /^This code is for a \[31m Mac\.\n$/],
  [{ status: 500 }, /^the server did not pair this device \(HTTP 500\)\n$/],
  [{ status: 200, json: { token: 'x' } }, /makes no sense\n$/],
  [{ status: 302, headers: { location: 'https://evil.example/' } }, /HTTP 302/],
];
test('each refusal of the server is one sentence', { skip }, async (t) => {
  const folder = tempFolder(t);
  const pki = makePki(folder);
  for (const [answer, says] of refusals) {
    const server = await startServer(t, pki, { answer });
    const run = cli(t, ['pair', '--link', server.link(), '--kind', 'linux', '--state', join(folder, 's.json')]);
    assert.equal(await run.end(), 1);
    assert.match(run.stderr, says);
    assert.equal(run.stdout, '');
  }
});

test('wrong use is refused without repeating what was typed', async (t) => {
  for (const args of [[], ['dance'], ['run', '--token', 'irad_secret'], ['pair', '--kind', 'toaster'], ['pair', '--kind', 'mac'],
    ['pair', '--kind', 'mac', '--link', 'https://127.0.0.1:1/pair#code=SECRETXX'], ['run', '--announce', 'no bar']]) {
    const run = cli(t, args, { env: { IRA_NODE_STATE: join(tempFolder(t), 's.json') } });
    assert.equal(await run.end(), 1);
    assert.ok(run.stderr && !/secret|    at /i.test(run.stderr), run.stderr);
  }
});

test('a state file others can read, or a damaged one, is refused', { skip: process.platform === 'win32' }, async (t) => {
  const file = join(tempFolder(t), 's.json');
  for (const [mode, says] of [[0o644, /^other people can read/], [0o600, /is damaged/]]) {
    writeFileSync(file, '{"token":"irad_x"}', { mode });
    const run = cli(t, ['run', '--state', file]);
    assert.equal(await run.end(), 1);
    assert.match(run.stderr, says);
    rmSync(file);
  }
});
