import type { Primitives } from '../primitives.ts';
import { NoteError, parseVerifierKey, SIGNATURE_TYPES, type VerifierKey } from './note.ts';

/** Returns the lines of a text that have the keys of logs: those that are neither blank nor comments. */
export function logKeyLines(text: string): { line: string; number: number }[] {
  return text
    .split('\n')
    .map((raw, index) => ({ line: raw.trim(), number: index + 1 }))
    .filter(({ line }) => line !== '' && !line.startsWith('#'));
}

/** Parses the verifier key of a log (C2SP signed-note), with or without `log` before it. @throws NoteError */
export function logKeyIn(primitives: Primitives, line: string): VerifierKey {
  const key = parseVerifierKey(primitives, line.replace(/^log /, ''));
  if (key.type !== SIGNATURE_TYPES.cosignature) return key;
  throw new NoteError(`${key.name} is the key of a witness, not of a log`);
}
