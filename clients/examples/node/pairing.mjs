// Pairing: read the link, pin the server's CA, trade the code for a token.
//
// The server at home has its own CA, which no computer trusts. The link carries a
// fingerprint of that CA's key, and the person got the link from their own screen:
// that is the whole root of trust. Until the fingerprint has matched, nothing secret
// leaves this program, and after it only that one certificate is trusted.

import { createHash, X509Certificate } from 'node:crypto';
import https from 'node:https';
import { clean, Refusal } from './refusal.mjs';

export const KINDS = ['mac', 'windows', 'linux', 'android', 'ios'];
const TIMEOUT_MS = 15_000;
const BODY_LIMIT = 64 * 1024;
const NOT_SCANNED = 'this is not the server you scanned';

/** Reads `https://<host>:<port>/pair#code=ABCDEFGH&fp=<43 chars>&id=<install>`. */
export function parseLink(text) {
  let url;
  try {
    url = new URL(String(text ?? '').trim());
  } catch {
    throw new Refusal('that is not a pairing link');
  }
  if (url.protocol !== 'https:' || url.pathname !== '/pair' || url.username || url.password) {
    throw new Refusal('that is not a pairing link: it should look like https://<server>/pair#code=...');
  }
  const parts = new URLSearchParams(url.hash.slice(1));
  const one = (name) => (parts.getAll(name).length === 1 ? parts.get(name) : '');

  const code = one('code').replaceAll('-', '').toUpperCase();
  if (!/^[A-Z0-9]{8}$/.test(code)) throw new Refusal('the link has no eight-character pairing code');

  // Without a fingerprint there is nothing to pin, and we never go on unpinned.
  const fp = one('fp');
  if (!isFingerprint(fp)) throw new Refusal("the link has no valid fingerprint of the server's certificate");

  const id = one('id');
  if (!isInstallId(id)) throw new Refusal("the link has no valid id of the server's install");

  return {
    host: url.hostname.replace(/^\[|\]$/g, ''), // an IPv6 address loses its brackets
    port: Number(url.port || 443),
    code: `${code.slice(0, 4)}-${code.slice(4)}`,
    fp,
    id,
  };
}

/** 43 characters of base64url that stand for exactly 32 bytes. */
export function isFingerprint(text) {
  return typeof text === 'string' && /^[A-Za-z0-9_-]{43}$/.test(text) && Buffer.from(text, 'base64url').toString('base64url') === text;
}

/** The id becomes part of one DNS label (`ira-<id>.local`), so it can hold no more than one. */
export function isInstallId(text) {
  return /^[A-Za-z0-9](?:[A-Za-z0-9-]{0,57}[A-Za-z0-9])?$/.test(text);
}

/** SHA-256 over the certificate's DER SubjectPublicKeyInfo, as base64url without padding. */
export function fingerprint(certificate) {
  const spki = certificate.publicKey.export({ type: 'spki', format: 'der' });
  return createHash('sha256').update(spki).digest('base64url');
}

/**
 * The TLS options of every connection that may carry a secret. `ca` replaces Node's
 * own list of roots, and rejectUnauthorized is spelled out so that an environment
 * with NODE_TLS_REJECT_UNAUTHORIZED=0 cannot switch the check off.
 */
export function trust({ id, ca }) {
  return { ca: [ca], servername: `ira-${id}.local`, rejectUnauthorized: true, minVersion: 'TLSv1.2' };
}

/** Steps 1 and 2 of the pin: fetch the CA with verification off, compare. Returns its PEM. */
export async function fetchCa(link) {
  const answer = await request(link, {
    method: 'GET',
    path: '/ca.crt',
    servername: `ira-${link.id}.local`,
    rejectUnauthorized: false, // the only place, and nothing secret is sent here
  });
  if (answer.status !== 200) throw new Refusal(`${NOT_SCANNED}: it has no CA certificate to show (HTTP ${answer.status})`);
  let certificate;
  try {
    certificate = new X509Certificate(answer.body);
  } catch {
    throw new Refusal(`${NOT_SCANNED}: its CA certificate cannot be read`);
  }
  if (fingerprint(certificate) !== link.fp) throw new Refusal(NOT_SCANNED);
  return certificate.toString(); // this one certificate, whatever else the answer held
}

/** Step 3: only now, over the pinned connection, the code. Returns what `run` needs. */
export async function claim(link, ca, kind) {
  const answer = await request(link, {
    method: 'POST',
    path: '/v1/devices/pair',
    body: JSON.stringify({ code: link.code, kind }),
    ...trust({ id: link.id, ca }),
  });
  if (answer.status !== 200 && answer.status !== 201) throw claimRefusal(answer);

  const reply = readJson(answer.body);
  const token = reply?.token;
  const socketPath = reply?.websocket ?? '/v1/devices/ws';
  if (!Number.isInteger(reply?.device_id) || !isToken(token) || !isPath(socketPath)) {
    throw new Refusal('the server paired this device but its answer makes no sense');
  }
  return {
    host: link.host,
    port: link.port,
    id: link.id,
    fp: link.fp,
    ca,
    deviceId: reply.device_id,
    kind,
    label: typeof reply.label === 'string' ? reply.label : '',
    websocket: socketPath,
    token,
  };
}

export const isToken = (text) => typeof text === 'string' && /^irad_[A-Za-z0-9_-]{20,200}$/.test(text);
export const isPath = (text) => typeof text === 'string' && /^\/[A-Za-z0-9_.~/-]{0,200}$/.test(text);

function claimRefusal({ status, headers, body }) {
  if (status === 410) {
    return new Refusal('the pairing code is wrong, used or expired: make a new one on the Devices page');
  }
  if (status === 429) {
    const seconds = Number(headers['retry-after']);
    const wait = seconds > 0 ? `try again in ${Math.ceil(seconds / 60)} min` : 'try again later';
    return new Refusal(`too many wrong pairing codes from this address: ${wait}`);
  }
  const detail = clean(readJson(body)?.detail);
  if (status === 409) return new Refusal(detail || 'the pairing code was made for another kind of device');
  return new Refusal(`the server did not pair this device (HTTP ${status})${detail ? `: ${detail}` : ''}`);
}

function readJson(body) {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return null;
  }
}

/** One HTTPS request on a connection of its own: no redirects, no proxy, no session reuse. */
function request({ host, port }, { body, ...options }) {
  const where = `${host} port ${port}`;
  return new Promise((resolve, reject) => {
    const headers = { accept: '*/*' };
    if (body) Object.assign(headers, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) });
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const req = https.request({ ...options, host, port, headers, agent: false, signal });

    const fail = (error) => {
      req.destroy();
      if (error instanceof Refusal) return reject(error);
      const doubt = req.socket?.authorizationError;
      if (doubt) return reject(new Refusal(`${NOT_SCANNED}: its certificate does not prove who it is (${clean(doubt)})`));
      const why = signal.aborted ? 'no answer in time' : clean(error.code ?? error.message);
      reject(new Refusal(`the server at ${where} cannot be reached (${why})`));
    };

    req.on('error', fail);
    req.on('response', (response) => {
      const chunks = [];
      let size = 0;
      response.on('error', fail);
      response.on('data', (chunk) => {
        size += chunk.length;
        if (size > BODY_LIMIT) return fail(new Refusal('the server sent far too long an answer'));
        chunks.push(chunk);
      });
      response.on('end', () => {
        resolve({ status: response.statusCode, headers: response.headers, body: Buffer.concat(chunks) });
      });
    });
    // Node sends nothing of this before the TLS handshake is done and checked.
    req.end(body);
  });
}
