import { KIND } from '../../../../db/staffing/registry/schema.ts';

/** Letters that are no letter with a mark, as they are written where they are not on the keyboard. */
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
 * The key that a name is found and ordered by: upper-case letters and digits alone, without marks, so that O'Brien,
 * OBRIEN and o brien are one. Empty where nothing is left. Folding twice is folding once.
 */
export function fold(name: string): string {
  // Nearly all names are spelt so already, and a registry is millions of them.
  if (/^[A-Z0-9]*$/.test(name)) return name;
  return name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toUpperCase()
    .normalize('NFD')
    .replace(SPELT_LETTER, (letter) => SPELT[letter] ?? letter)
    .replace(NEITHER_LETTER_NOR_DIGIT, '');
}

/** Modifier letters count as neither: among them are the apostrophe and the ʻokina. */
const NEITHER_LETTER_NOR_DIGIT = /[^\p{Lu}\p{Ll}\p{Lt}\p{Lo}\p{Nd}]/gu;

const BETWEEN_PARTS = /[\s\p{Pd}]+/u;

export interface NameKey {
  key: string;
  kind: (typeof KIND)[keyof typeof KIND];
}

/**
 * The keys that a clinician is found by: the whole surname; the second and later parts of one that is hyphenated or
 * spaced, and former names; the first part, which only a search for exact names needs. Each key once.
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
