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
 * Returns the search and sort key of a name: only upper-case letters and digits, without marks, so that
 * O'Brien, OBRIEN and o brien are equal. Empty when nothing is left. Folding is idempotent.
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

/** Between the parts of a name: spaces, hyphens, and the apostrophe of O'Brien and D'Angelo. */
const BETWEEN_PARTS = /[\s\p{Pd}'’ʼʻ`]+/u;

/** Words before a surname that belong to it and are often left out. Folded. */
const PARTICLES: ReadonlySet<string> = new Set(
  (
    'A AB ABU AF AL AM AN AP AV BEN BIN BINT D DA DAL DAS DE DEGLI DEI DEL DELA DELL DELLA DELLE DELOS DEN DER DES DI DO DOS DU E ' +
    'EL EN ET FITZ HET I IBN IM IN L LA LAS LE LI LO LOS MAC MC N NI O OP SAINT SAN SANTA SINT ST STE SAINTE T TE TEN TER THE TOT ' +
    'UIT UND V VAN VANDE VANDEN VANDER VD VER VOM VON VONDER Y Z ZU ZUM ZUR'
  ).split(' '),
);

/** The maximum of keys of one name: a name of nothing but particles must not fill the registry. */
const KEYS_PER_NAME = 6;

export interface NameKey {
  key: string;
  kind: (typeof KIND)[keyof typeof KIND];
}

/**
 * Returns the search keys of a clinician without duplicates, the whole surname first. Each name, the surname
 * and former ones, has up to six: the whole; the whole without leading particles, so that "van der Berg" is
 * also "der Berg" and "Berg"; and the later parts of a name with hyphens or spaces. Its first parts are only
 * for exact searches, because the others begin with them.
 */
export function nameKeys(lastName: string, formerNames: readonly string[]): NameKey[] {
  const whole = fold(lastName);
  if (formerNames.length === 0 && !BETWEEN_PARTS.test(lastName)) return [{ key: whole, kind: KIND.whole }];
  const kinds = new Map<string, NameKey['kind']>([[whole, KIND.whole]]);
  const names = [lastName, ...formerNames].map(keysOfName);
  for (const { searched } of names) {
    for (const key of searched) if (!kinds.has(key)) kinds.set(key, KIND.other);
  }
  for (const { onlyExact } of names) {
    for (const key of onlyExact) if (!kinds.has(key)) kinds.set(key, KIND.firstPart);
  }
  return [...kinds].map(([key, kind]) => ({ key, kind }));
}

/**
 * Returns the keys of one name: those for all searches, the whole name first, and those only for exact ones.
 */
function keysOfName(name: string): { searched: string[]; onlyExact: string[] } {
  const parts = name.split(BETWEEN_PARTS).map(fold).filter(Boolean);
  const whole = parts.join('');
  if (whole === '') return { searched: [], onlyExact: [] };
  const [first = [], ...later] = surnamesOf(parts);
  const tail = later.flat().join('');
  const beginnings = beginningsLeftOut(first);
  const searched = new Set([whole, ...beginnings.map((key) => key + tail)]);
  for (const key of later.flatMap(beginningsLeftOut)) searched.add(key);
  const kept = [...searched].slice(0, KEYS_PER_NAME);
  const exact = new Set([...parts.slice(0, 1), ...first.slice(-1), ...beginnings, ...parts]);
  const onlyExact = [...exact].filter((key) => !searched.has(key)).slice(0, KEYS_PER_NAME - kept.length);
  return { searched: kept, onlyExact };
}

/** Groups the parts of a name: each surname with the particles before it. */
function surnamesOf(parts: readonly string[]): string[][] {
  const surnames: string[][] = [];
  let open: string[] | undefined;
  for (const part of parts) {
    if (open === undefined) {
      open = [];
      surnames.push(open);
    }
    open.push(part);
    if (!PARTICLES.has(part)) open = undefined;
  }
  return surnames;
}

/**
 * Returns a surname with all of its particles, without the first, without the first two…, at most as many as
 * a name has keys.
 */
function beginningsLeftOut(parts: readonly string[]): string[] {
  return parts.slice(0, KEYS_PER_NAME).map((_, left) => parts.slice(left).join(''));
}
