import { printable } from '../../platform/terminal/printable.ts';

/** Writes a note to stderr. */
export function note(sentence: string): void {
  say('note', sentence);
}

/** Writes a sentence to stderr with its kind as prefix. */
export function say(kind: 'note' | 'warning' | 'error' | 'hint', sentence: string): void {
  process.stderr.write(`countersign: ${kind}: ${printable(sentence)}\n`);
}
