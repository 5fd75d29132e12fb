import { KIND } from '../../../../db/staffing/registry/schema.ts';

/** ASCII spellings of letters that Unicode does not decompose into a letter and a mark. */
const SPELT: Readonly<Record<string, string>> = {
  Ø: 'O',
  Ł: 'L',
  Æ: 'AE',
  Œ: 'OE',
  Đ: 'D',
  Ð: 'D',
  Þ: 'TH',
  Ħ: 'H',
  Ŧ: 'T',
  ẞ: 'SS',
};
const SPELT_LETTER = new RegExp(`[${Object.keys(SPELT).join('')}]`, 'g');

/**
 * Returns the search and sort key of a name: only upper-case letters and digits, without marks, so that O'Brien, OBRIEN and o brien
 * are equal. Empty when nothing is left. Folding is idempotent.
 */
export function fold(name: string): string {
  // Fast path: nearly all of a registry's millions of names are already folded.
  if (/^[A-Z0-9]*$/.test(name)) return name;
  return name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toUpperCase()
    .normalize('NFD')
    .replace(SPELT_LETTER, (letter) => SPELT[letter] ?? letter)
    .replace(NEITHER_LETTER_NOR_DIGIT, '');
}

/** Modifier letters, such as the modifier apostrophe and the ʻokina, count as neither. */
const NEITHER_LETTER_NOR_DIGIT = /[^\p{Lu}\p{Ll}\p{Lt}\p{Lo}\p{Nd}]/gu;

const BETWEEN_PARTS = /[\s\p{Pd}]+/u;

export interface NameKey {
  key: string;
  kind: (typeof KIND)[keyof typeof KIND];
}

/**
 * Returns the search keys of a clinician without duplicates: the whole surname; the second and later parts of a surname with hyphens
 * or spaces, and former names; the first part, which only exact searches need.
 */
export function nameKeys(lastName: string, formerNames: readonly string[]): NameKey[] {
  const whole = fold(lastName);
  if (formerNames.length === 0 && !BETWEEN_PARTS.test(lastName)) return [{ key: whole, kind: KIND.whole }];
  const [first = '', ...later] = lastName.split(BETWEEN_PARTS).map(fold).filter(Boolean);
  const kinds = new Map<string, NameKey['kind']>([[whole, KIND.whole]]);
  for (const key of [...later, ...formerNames.map(fold)]) {
    if (key !== '' && !kinds.has(key)) kinds.set(key, KIND.other);
  }
  if (first !== '' && !kinds.has(first)) kinds.set(first, KIND.firstPart);
  return [...kinds].map(([key, kind]) => ({ key, kind }));
}
