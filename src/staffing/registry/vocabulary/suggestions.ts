import { distance } from 'fastest-levenshtein';
import type { Lexicon } from './lexicon.ts';
import type { Specialty } from './specialty.ts';
import { isIgnored } from './understanding.ts';
import { foldWord, keyOf, wordsIn } from './words.ts';

const SUGGESTIONS = 5;
/**
 * The maximum length of a text to compare: a longer text is similar to no name, and the cost grows with the
 * length.
 */
const COMPARED = 100;
/** The maximum of words that are corrected. */
const CORRECTED = 8;
/** What is suggested in addition to words that select nobody, such as "travel". */
const PROFESSIONS = [
  'nurse',
  'physician',
  'nurse practitioner',
  'physical therapist',
  'respiratory therapist',
];

/**
 * Returns a function that gives up to five names for an unknown text: the text with its typing errors
 * corrected, then similar names.
 */
export function suggesterOf(
  lexicon: Lexicon,
  understand: (text: string) => Specialty | null,
): (text: string) => string[] {
  const vocabulary = [...vocabularyOf(lexicon)];
  const byKey = new Map(lexicon.written.map(({ text, key }) => [key, text]));
  const compared = lexicon.written
    .filter(({ common }) => common)
    .map(({ text }) => ({ name: text, key: text.toLowerCase() }));
  return (text) => {
    const words = wordsIn(text.slice(0, COMPARED));
    if (words.length === 0) return [];
    const typed = words.join(' ');
    if (words.every((word) => isIgnored(foldWord(word))))
      return PROFESSIONS.map((profession) => `${typed} ${profession}`);
    const understood = new Map<Specialty, string>();
    for (const correction of correctionsOf(lexicon, vocabulary, words)) {
      const specialty = understand(correction);
      if (specialty === null || understood.has(specialty)) continue;
      const name = byKey.get(keyOf(wordsIn(correction).map(foldWord))) ?? correction;
      understood.set(
        specialty,
        correction === typed || name.toLowerCase() === correction ? name : correction,
      );
    }
    const meant = [...understood.values()];
    const key = meant[0]?.toLowerCase() ?? typed;
    const similar = compared
      .map(({ name, key: other }) => ({ name, far: unlikeness(key, other) }))
      .sort((left, right) => left.far - right.far)
      .map(({ name }) => name);
    const names = new Map([...meant, ...similar].map((name) => [name.toLowerCase(), name]));
    return [...names.values()].slice(0, SUGGESTIONS);
  };
}

/**
 * Returns texts that the writer may have meant, the likeliest first: with typing errors corrected, then
 * without unknown words.
 */
function correctionsOf(
  { foldedWords, joined }: Lexicon,
  vocabulary: readonly string[],
  words: readonly string[],
): string[] {
  const choices = words.slice(0, CORRECTED).map((word) => {
    const folded = foldWord(word);
    return foldedWords.has(folded) || joined.has(folded) ? [word] : closest(vocabulary, word);
  });
  const first = choices.flatMap(([best]) => best ?? []);
  const alternatives = choices.flatMap((each, at) =>
    each
      .slice(1)
      .map((other) => choices.flatMap((words, position) => (position === at ? other : (words[0] ?? [])))),
  );
  const known = words.filter((word) => foldedWords.has(foldWord(word)));
  const ends = [first.slice(-2), first.slice(0, 2), first.slice(-1), first.slice(0, 1)];
  return [first, ...alternatives, known, ...(first.length > 2 ? ends : [])].map((each) => each.join(' '));
}

/** Returns up to three known words that differ from `word` by few letters, the closest first. */
function closest(vocabulary: readonly string[], word: string): string[] {
  const allowed = word.length < 4 ? 0 : word.length < 6 ? 1 : word.length < 9 ? 2 : 3;
  return vocabulary
    .filter((known) => Math.abs(known.length - word.length) <= allowed)
    .map((known) => ({ known, far: errorsIn(word, known) + (known[0] === word[0] ? 0 : 0.5) }))
    .filter(({ far }) => far < allowed + 1)
    .sort((left, right) => left.far - right.far)
    .slice(0, 3)
    .map(({ known }) => known);
}

/** Returns how many typing errors make the one word the other; two letters in the wrong order are one. */
function errorsIn(word: string, known: string): number {
  const errors = distance(word, known);
  const swapped =
    errors === 2 && word.length === known.length && [...word].sort().join('') === [...known].sort().join('');
  return swapped ? 1 : errors;
}

/**
 * Returns the words to correct to: those of names, and persons next to their field (cardiologist,
 * cardiology).
 */
function vocabularyOf({ words }: Lexicon): Set<string> {
  const all = new Set<string>();
  for (const word of words.keys()) {
    const plural = word.endsWith('s') && words.has(word.slice(0, -1));
    if (word.length < 3 || plural) continue;
    all.add(word);
    if (word.endsWith('ology')) all.add(`${word.slice(0, -1)}ist`);
    if (word.endsWith('iatry')) all.add(`${word.slice(0, -1)}ist`);
    if (word.endsWith('therapy')) all.add(`${word.slice(0, -1)}ist`);
    if (word === 'surgery') all.add('surgeon');
  }
  return all;
}

/** Returns the dissimilarity, 0 to 1. Names that contain the text are more similar than all others. */
function unlikeness(key: string, name: string): number {
  const share = distance(key, name) / Math.max(key.length, name.length);
  return key.length > 2 && name.includes(key) ? share / 4 : share;
}
