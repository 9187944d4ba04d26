#!/usr/bin/env node
// The command line: pair this computer with an Ira, run as its device, say goodbye.
// The token is never an argument, never in a log, and never leaves the state file
// but for the pinned connection.

import { parseArgs } from 'node:util';
import { claim, fetchCa, KINDS, parseLink } from './pairing.mjs';
import { clean, Refusal, Revoked } from './refusal.mjs';
import { Device, sayBye } from './session.mjs';
import { forget, keep, load, notesFile, reserve, stateFile } from './state.mjs';
import { makeTools } from './tools.mjs';

const USAGE = `usage: node device.mjs pair --link LINK|- --kind ${KINDS.join('|')} [--state FILE]
       node device.mjs run [--announce "title|text"]... [--state FILE]
       node device.mjs bye [--state FILE]`;

const COMMANDS = {
  pair: { act: pair, options: { link: { type: 'string' }, kind: { type: 'string' } } },
  run: { act: run, options: { announce: { type: 'string', multiple: true } } },
  bye: { act: bye, options: {} },
};

async function pair({ link, kind, state }) {
  if (!KINDS.includes(kind)) throw new Refusal(`--kind must be one of: ${KINDS.join(', ')}`);
  if (!link) throw new Refusal('--link is missing: give the pairing link, or - to read it from stdin');
  const target = parseLink(link === '-' ? await firstLine(process.stdin) : link);
  const slot = reserve(stateFile(state));
  try {
    const ca = await fetchCa(target); // refuses a server whose CA is not the scanned one
    const pairing = await claim(target, ca, kind);
    slot.save(pairing);
    console.log(`paired as device ${pairing.deviceId}`);
  } finally {
    slot.discard();
  }
}

async function run({ announce = [], state }) {
  const events = announce.map(readAnnouncement);
  const file = stateFile(state);
  const pairing = load(file);
  const device = new Device({
    pairing,
    tools: makeTools(notesFile(file)),
    log: (line) => console.log(line),
    warn: (line) => console.error(line),
    keep: (changed) => keep(file, changed),
  });
  for (const [title, text] of events) device.announce(title, text);

  const stopper = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM']) process.once(name, () => stopper.abort());
  try {
    await device.run(stopper.signal);
  } catch (error) {
    if (error instanceof Revoked) forget(file, pairing.token);
    throw error;
  }
}

async function bye({ state }) {
  const file = stateFile(state);
  const pairing = load(file);
  const line = await sayBye(pairing);
  forget(file, pairing.token);
  console.log(line);
}

function readAnnouncement(value) {
  const bar = value.indexOf('|');
  const title = value.slice(0, Math.max(bar, 0)).trim();
  const text = value.slice(bar + 1).trim();
  if (!title || !text) throw new Refusal('--announce must look like "title|text"');
  return [title, text];
}

/** The first line of a stream, without waiting for its end (a person types one line). */
async function firstLine(stream) {
  let text = '';
  for await (const chunk of stream.setEncoding('utf8')) {
    text += chunk;
    if (text.includes('\n') || text.length > 4096) break;
  }
  return text.split('\n')[0];
}

async function main([name, ...rest]) {
  if (name === '--help' || name === '-h') return console.log(USAGE);
  const command = Object.hasOwn(COMMANDS, name ?? '') ? COMMANDS[name] : null;
  if (!command) throw new Refusal(USAGE);
  let values;
  try {
    ({ values } = parseArgs({ args: rest, options: { ...command.options, state: { type: 'string' } } }));
  } catch {
    throw new Refusal(USAGE); // not Node's message: it would repeat what was typed
  }
  return command.act(values);
}

/** Every way this program fails ends here: one sentence, exit code 1. */
function giveUp(error) {
  console.error(error instanceof Refusal ? error.message : `something unexpected went wrong (${clean(error?.code ?? error?.name)})`);
  process.exit(1);
}

process.on('uncaughtException', giveUp);
process.stdout.on('error', () => process.exit(1)); // whoever read our lines is gone
main(process.argv.slice(2)).then(() => process.exit(0), giveUp);
