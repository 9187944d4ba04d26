// Where the pairing, token included, is kept: one file only its owner can read. A real
// product uses the system's keyring; this example must run anywhere Node does.

import { randomBytes, X509Certificate } from 'node:crypto';
import fs from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fingerprint, isFingerprint, isInstallId, isPath, isToken, KINDS } from './pairing.mjs';
import { Refusal } from './refusal.mjs';

export function stateFile(option) {
  return resolve(option || process.env.IRA_NODE_STATE || join(homedir(), '.config', 'ira-node-device.json'));
}

export const notesFile = (file) => `${file.replace(/\.json$/, '')}.notes.txt`;

/**
 * Makes room for a pairing before the code is spent, so that a full or read-only disk
 * cannot lose the token the server shows only once.
 */
export function reserve(file) {
  if (fs.existsSync(file)) {
    throw new Refusal(`this device is paired already: run "bye" first, or delete ${file} if its server is gone`);
  }
  return drafted(file);
}

/** Writes down what has become of a pairing, unless the file has come to hold another one since. */
export function keep(file, pairing) {
  const held = load(file);
  if (held.token !== pairing.token) throw new Refusal(`another pairing is in ${file} now: start again`);
  const draft = drafted(file);
  try {
    draft.save(pairing);
  } finally {
    draft.discard();
  }
}

function drafted(file) {
  const draft = `${file}.${randomBytes(6).toString('hex')}.tmp`;
  let handle;
  try {
    fs.mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    handle = fs.openSync(draft, 'wx', 0o600);
  } catch (error) {
    throw new Refusal(`the state file ${file} cannot be written (${error.code})`);
  }
  return {
    save(pairing) {
      try {
        fs.writeFileSync(handle, `${JSON.stringify(pairing, null, 2)}\n`);
        fs.fsyncSync(handle);
        fs.closeSync(handle);
        fs.renameSync(draft, file);
      } catch (error) {
        throw new Refusal(`the state file ${file} cannot be written (${error.code})`);
      }
    },
    discard() {
      fs.rmSync(draft, { force: true });
    },
  };
}

export function load(file) {
  let text;
  try {
    if (process.platform !== 'win32' && fs.statSync(file).mode & 0o077) {
      throw new Refusal(`other people can read the state file: run "chmod 600 ${file}"`);
    }
    text = fs.readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof Refusal) throw error;
    if (error.code === 'ENOENT') throw new Refusal('this device is not paired: run "node device.mjs pair" first');
    throw new Refusal(`the state file ${file} cannot be read (${error.code})`);
  }
  const pairing = parse(text);
  if (!pairing) throw new Refusal(`the state file ${file} is damaged: delete it and pair again`);
  return pairing;
}

/** Forgets the token, unless the file has come to hold another pairing since. */
export function forget(file, token) {
  try {
    if (parse(fs.readFileSync(file, 'utf8'))?.token === token) fs.rmSync(file);
  } catch (error) {
    if (error.code !== 'ENOENT') throw new Refusal(`the state file ${file} cannot be deleted (${error.code})`);
  }
}

/** The pairing, or null when anything in it is off: the pinned CA is checked again too. */
function parse(text) {
  try {
    const p = JSON.parse(text);
    const good = typeof p.host === 'string' && p.host && Number.isInteger(p.port) && Number.isInteger(p.deviceId)
      && isInstallId(p.id) && isToken(p.token) && isPath(p.websocket) && KINDS.includes(p.kind)
      && (p.nextFp === undefined || isFingerprint(p.nextFp)) && typeof p.label === 'string' && fingerprint(new X509Certificate(p.ca)) === p.fp;
    return good ? p : null;
  } catch {
    return null;
  }
}
