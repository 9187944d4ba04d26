// The two tools this device offers, and the check of their arguments. A model wrote
// the arguments, so each call is checked here against the schema the hello announced.

import { appendFile } from 'node:fs/promises';

const NOTE_LIMIT = 2000;
const HOURS = ['twelve', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven'];

/** Tools, oldest first; notes go to `notesFile`. `run` answers with the result's content. */
export function makeTools(notesFile) {
  return [
    {
      name: 'clock_now', // no `skill`: it is the name up to the first underscore, "clock"
      description: 'Tell the time on this computer',
      tier: 0, // only reads
      parameters: {
        type: 'object',
        properties: {
          format: { type: 'string', enum: ['iso', 'words'], description: 'iso (the default) or words' },
        },
        additionalProperties: false,
      },
      run({ format = 'iso' }) {
        const now = new Date();
        const time = format === 'words' ? inWords(now) : isoLocal(now);
        return { summary: `It is ${time} on this computer.`, time };
      },
    },
    {
      name: 'note_add',
      description: 'Write a line into the notes file of this example',
      skill: 'note',
      tier: 1, // small and undoable
      parameters: {
        type: 'object',
        properties: { text: { type: 'string', minLength: 1, maxLength: NOTE_LIMIT, description: 'The line to write' } },
        required: ['text'],
        additionalProperties: false,
      },
      async run({ text }) {
        const line = text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim(); // one call, one line
        if (!line) throw new ToolError('text is empty');
        try {
          await appendFile(notesFile, `${line}\n`, { mode: 0o600 });
        } catch {
          throw new ToolError('the notes file cannot be written');
        }
        return { summary: 'Wrote the line into the notes file.' };
      },
    },
  ];
}

/** A failure whose message may go to the model. */
class ToolError extends Error {}

/** What a hello says about the first `limit` tools: everything but the code. */
export function offer(tools, limit) {
  return tools.slice(0, limit).map(({ run, ...described }) => described);
}

/** Runs one call and answers `{ ok, content }` or `{ ok, error }`; it never throws. */
export async function runTool(tools, name, args, timeout) {
  const tool = tools.find((each) => each.name === name);
  if (!tool) return { ok: false, error: 'this device has no such tool' };
  const wrong = checkArgs(tool.parameters, args ?? {});
  if (wrong) return { ok: false, error: wrong };
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new ToolError('the tool took too long')), timeout);
  });
  try {
    return { ok: true, content: await Promise.race([(async () => tool.run(args ?? {}))(), late]) };
  } catch (error) {
    return { ok: false, error: error instanceof ToolError ? error.message : 'the tool failed' };
  } finally {
    clearTimeout(timer);
  }
}

/** The part of JSON Schema these tools use. Returns what is wrong, or null. */
export function checkArgs(schema, args) {
  if (typeof args !== 'object' || args === null || Array.isArray(args)) return 'the arguments must be an object';
  for (const name of schema.required ?? []) {
    if (!Object.hasOwn(args, name)) return `${name} is missing`;
  }
  for (const [name, value] of Object.entries(args)) {
    if (!Object.hasOwn(schema.properties, name)) return 'there is an argument this tool does not have';
    const rule = schema.properties[name];
    if (typeof value !== rule.type) return `${name} must be a ${rule.type}`;
    if (rule.enum && !rule.enum.includes(value)) return `${name} must be one of: ${rule.enum.join(', ')}`;
    const length = [...value].length;
    if (length < (rule.minLength ?? 0)) return `${name} is empty`;
    if (length > (rule.maxLength ?? Infinity)) return `${name} is longer than ${rule.maxLength} characters`;
  }
  return null;
}

/** Local time with its offset: 2026-03-09T16:05:00+01:00. */
function isoLocal(date) {
  const offset = -date.getTimezoneOffset();
  const two = (n) => String(n).padStart(2, '0');
  const zone = `${offset < 0 ? '-' : '+'}${two(Math.floor(Math.abs(offset) / 60))}:${two(Math.abs(offset) % 60)}`;
  return new Date(date.getTime() + offset * 60_000).toISOString().slice(0, 19) + zone;
}

/** Monday 9 March, 5 past four in the afternoon. */
function inWords(date) {
  const day = date.toLocaleDateString('en-GB', { weekday: 'long', day: 'numeric', month: 'long' });
  const hour = date.getHours();
  const minute = date.getMinutes();
  const part = hour < 12 ? 'in the morning' : hour < 18 ? 'in the afternoon' : 'in the evening';
  const named = (h) => HOURS[h % 12];
  let clock = `${minute} past ${named(hour)}`;
  if (minute === 0) clock = `${named(hour)} o'clock`;
  else if (minute === 15) clock = `a quarter past ${named(hour)}`;
  else if (minute === 30) clock = `half past ${named(hour)}`;
  else if (minute === 45) clock = `a quarter to ${named(hour + 1)}`;
  else if (minute > 30) clock = `${60 - minute} to ${named(hour + 1)}`;
  return `${day}, ${clock} ${part}`;
}
