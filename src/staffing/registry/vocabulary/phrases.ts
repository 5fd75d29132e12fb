import type { Profession } from './professions.ts';
import type { Specialty } from './specialty.ts';

/** What a phrase of a search stands for. */
export type Interpretation =
  /** A profession that is not physicians. */
  | { kind: 'profession'; profession: Profession }
  /** A word for a physician of any specialty. */
  | { kind: 'physician' }
  /** A specialty of physicians, or a place that means one next to a word for a physician. */
  | { kind: 'field'; specialty: Specialty; place: boolean }
  /** Where one works. `unit`: means nurses by itself. `anyone`: but not next to a specialty of physicians. */
  | { kind: 'setting'; setting: number; unit: boolean; anyone: boolean };

interface Phrase {
  words: readonly string[];
  meaning: Interpretation;
  rank: number;
}

/** A phrase found in a search. */
export interface Match {
  /** The bits of its words in the search. */
  mask: number;
  length: number;
  meaning: Interpretation;
}

/**
 * The maximum of words that are looked for together: their positions are bits of an integer, and the cost
 * grows with them.
 */
export const MAX_WORDS = 10;

/** Phrases, found by the words of a search in whatever order. */
export class Phrases {
  /** By the word of each phrase that the fewest phrases have. */
  private readonly byWord = new Map<string, Phrase[]>();
  private readonly words = new Set<string>();

  constructor(phrases: readonly { key: string; meaning: Interpretation }[]) {
    const uses = new Map<string, number>();
    const split = phrases.map(({ key, meaning }, rank) => ({ words: key.split(' '), meaning, rank }));
    for (const { words } of split)
      for (const word of words) {
        uses.set(word, (uses.get(word) ?? 0) + 1);
        this.words.add(word);
      }
    for (const phrase of split) {
      const rarest = phrase.words.reduce((best, word) =>
        (uses.get(word) ?? 0) < (uses.get(best) ?? 0) ? word : best,
      );
      const same = this.byWord.get(rarest);
      if (same === undefined) this.byWord.set(rarest, [phrase]);
      else same.push(phrase);
    }
  }

  /** Whether a phrase has the word. */
  has(word: string): boolean {
    return this.words.has(word);
  }

  /** Returns the phrases whose words are all among `words`, the longest first, then in their order. */
  in(words: readonly string[]): Match[] {
    const matches: (Match & { rank: number })[] = [];
    for (const word of words) {
      for (const { words: needed, meaning, rank } of this.byWord.get(word) ?? []) {
        const mask = maskOf(needed, words);
        if (mask !== 0) matches.push({ mask, length: needed.length, meaning, rank });
      }
    }
    return matches.sort((left, right) => right.length - left.length || left.rank - right.rank);
  }
}

/** Returns the bits of the positions of all needed words; 0 when one is missing. */
function maskOf(needed: readonly string[], words: readonly string[]): number {
  let mask = 0;
  for (const word of needed) {
    const position = words.indexOf(word);
    if (position === -1) return 0;
    mask |= 1 << position;
  }
  return mask;
}
