// A Refusal is a problem we can explain to the person in one sentence. The entry
// point prints the sentence and exits with 1; nothing ever prints a stack trace.

export class Refusal extends Error {}

/** The server no longer knows this device: whoever holds the token should forget it. */
export class Revoked extends Refusal {}

/** Text from the other side, made safe to print on one line of a terminal. */
export function clean(text, limit = 200) {
  const line = String(text ?? '').replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ').trim();
  const letters = [...line];
  return letters.length > limit ? letters.slice(0, limit).join('') + '...' : line;
}
