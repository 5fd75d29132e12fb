/**
 * Words of names and searches, folded so that all common spellings of a word are one: without case, marks,
 * dots, plurals; persons as their field (cardiologist, cardiology), British spellings as American ones.
 */

/** Words whose spelling follows no rule, or that a rule would spoil. */
const SPELT: ReadonlyMap<string, string> = new Map(
  Object.entries({
    cns: 'cns',
    ems: 'ems',
    mls: 'mls',
    dds: 'dds',
    ms: 'ms',
    dms: 'dms',
    rads: 'rads',
    cards: 'cards',
    gs: 'gs',
    crs: 'crs',
    acls: 'acls',
    pals: 'pals',
    bls: 'bls',
    facs: 'facs',
    ccs: 'ccs',
    rdcs: 'rdcs',
    rdms: 'rdms',
    ctrs: 'ctrs',
    rcis: 'rcis',
    his: 'his',
    omfs: 'omfs',
    oms: 'oms',
    rcs: 'rcs',
    cps: 'cps',
    obs: 'obs',
    pccs: 'pccs',
    midwives: 'midwife',
    children: 'child',
    childrens: 'child',
    kids: 'child',
    womens: 'women',
    woman: 'women',
    dietician: 'dietitian',
    dentistry: 'dentist',
    nursing: 'nurse',
    doc: 'doctor',
    rehab: 'rehabilitation',
    lab: 'laboratory',
    asst: 'assistant',
    mgmt: 'management',
    mgt: 'management',
    mgr: 'manager',
    dept: 'department',
    orthopedist: 'orthopedic',
    orthopaedist: 'orthopedic',
    orthopod: 'orthopedic',
    obstetrician: 'obstetric',
    geriatrician: 'geriatric',
    counsellor: 'counselor',
    behaviour: 'behavior',
    behavioural: 'behavioral',
    technologist: 'technologist',
    phlebotomist: 'phlebotomy',
    telestroke: 'stroke',
    labour: 'labor',
    resp: 'respiratory',
    informaticist: 'informatic',
    us: 'us',
    is: 'is',
  }),
);

/** Endings, the longest first, and what they become. */
const ENDINGS: readonly (readonly [ending: string, folded: string])[] = [
  ['ologist', 'ology'],
  ['iatrist', 'iatry'],
  ['ometrist', 'ometry'],
  ['odontist', 'odontic'],
  ['odontics', 'odontic'],
  ['allergist', 'allergy'],
  ['surgeon', 'surgery'],
  ['therapist', 'therapy'],
];

const LITTLE: ReadonlySet<string> = new Set(['and', 'of', 'in', 'the', 'for', 'with', 'a', 'an', 'to']);

/** The longest text that is split into words; nothing longer names a specialty. */
export const MAX_TEXT = 200;

/**
 * Returns the words of a text in lower case, as typed: single letters in a row (R.N., L&D) are one word. Few
 * for a hostile text.
 */
export function wordsIn(text: string): string[] {
  const joined: string[] = [];
  let single = false;
  for (const word of splitIn(text.slice(0, MAX_TEXT))) {
    if (word === '' || LITTLE.has(word)) continue;
    const letter = word.length === 1 && word >= 'a' && word <= 'z';
    if (letter && single) joined.push((joined.pop() ?? '') + word);
    else joined.push(word);
    single = letter;
  }
  return joined;
}

/**
 * Returns the parts of a text between what is neither letter nor digit, in lower case without marks and
 * apostrophes.
 */
function splitIn(text: string): string[] {
  // Fast path: nearly all texts.
  if (/^[\w &/,-]*$/.test(text)) return text.toLowerCase().split(/[^a-z0-9]+/);
  return text
    .normalize('NFD')
    .replace(/[\p{M}'’`]/gu, '')
    .toLowerCase()
    .replace(/(?<![\p{L}\p{N}])(?:\p{L}{1,2}\.)+(?=\p{L})\p{L}*/gu, (dotted) => dotted.replaceAll('.', ''))
    .split(/[^\p{L}\p{N}]+/u);
}

/** Returns the folded form of a word in lower case. Folding is idempotent. */
export function foldWord(word: string): string {
  const spelt = SPELT.get(word);
  if (spelt !== undefined) return spelt;
  const singular = singularOf(word.length > 5 && word.includes('ae') ? word.replaceAll('ae', 'e') : word);
  const known = SPELT.get(singular);
  if (known !== undefined) return known;
  for (const [ending, folded] of ENDINGS) {
    if (singular.endsWith(ending)) return singular.slice(0, -ending.length) + folded;
  }
  return singular;
}

function singularOf(word: string): string {
  if (word.length < 3 || !word.endsWith('s')) return word;
  const rest = word.slice(0, -1);
  // The plural of an abbreviation that ends with s: CNSs, EMSs.
  if (SPELT.has(rest)) return rest;
  if (word.endsWith('ss') || word.endsWith('us') || word.endsWith('sis')) return word;
  if (word.length > 4 && word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  if (word.length > 5 && /(?:ch|sh|x|ss)es$/.test(word)) return word.slice(0, -2);
  return rest;
}

/** Returns the key of words in whatever order: folded, sorted, each once. */
export function keyOf(folded: readonly string[]): string {
  if (folded.length < 2) return folded[0] ?? '';
  const sorted = folded.toSorted();
  let key = '';
  for (const [position, word] of sorted.entries()) {
    if (position === 0) key = word;
    else if (word !== sorted[position - 1]) key += ` ${word}`;
  }
  return key;
}

/** Returns the key of words in whatever order, those that are repeated as often as they are. */
export function keyWithRepeated(folded: readonly string[]): string {
  return folded.toSorted().join(' ');
}

/** Returns the key of a text: texts with the same words, in whatever order and spelling, have the same. */
export function keyOfText(text: string): string {
  return keyOf(wordsIn(text).map(foldWord));
}
