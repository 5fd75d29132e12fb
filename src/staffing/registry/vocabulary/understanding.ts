import { namesOf, termsOf } from './everyday-words.ts';
import type { Lexicon } from './lexicon.ts';
import { MAX_WORDS, type Match } from './phrases.ts';
import type { Profession } from './professions.ts';
import type { Specialty } from './specialty.ts';
import { foldWord, keyOf, keyWithRepeated, wordsIn } from './words.ts';

/** Words that are ignored when something else remains. */
const IGNORED_ALWAYS: ReadonlySet<string> = new Set(namesOf('ignored').map(foldWord));
/** Words that are ignored only where nothing is understood otherwise. */
const IGNORED_AT_NEED: ReadonlySet<string> = new Set(namesOf('ignored_at_need').map(foldWord));
/** Words that name a field of medicine, and do not only describe one. */
const NAMES_FIELD = /(?:ology|iatry|ometry|surgery|medicine|ist|sthesia)$/;
/**
 * Children's short forms are written out even next to a setting, because "pediatric ICU" is a setting of its
 * own.
 */
const PEDIATRIC = new Map(
  ['peds', 'ped', 'pedi', 'pediatrician'].map((word) => [foldWord(word), 'pediatric']),
);
const LONG = new Map(
  termsOf('short').flatMap(({ names, meaning }) =>
    names.map((name) => [foldWord(name), foldWord(meaning)] as const),
  ),
);

/** Whether a folded word selects nobody, and is ignored next to one that does. */
export function isIgnored(word: string): boolean {
  return IGNORED_ALWAYS.has(word) || IGNORED_AT_NEED.has(word);
}

/**
 * Returns what a text means: a name; a profession in a setting ("ICU RN"), or as a whole where it has no code
 * for the setting; a specialty of physicians; a setting, which means nurses. The order of the words does not
 * count. Null for an unknown text.
 */
export function understand(lexicon: Lexicon, text: string): Specialty | null {
  const typed = wordsIn(text).flatMap((word) => parted(lexicon, word));
  const words = [...new Set(typed)];
  const some = words.filter((word) => !IGNORED_ALWAYS.has(word));
  const few = some.filter((word) => !IGNORED_AT_NEED.has(word));
  return (
    (words.length < typed.length ? lexicon.names.get(keyWithRepeated(typed)) : undefined) ??
    specialtyNamed(lexicon, words) ??
    composed(lexicon, words, false) ??
    (some.length < words.length ? (specialtyNamed(lexicon, some) ?? composed(lexicon, some, false)) : null) ??
    (few.length < words.length ? (composed(lexicon, words, true) ?? specialtyNamed(lexicon, few)) : null)
  );
}

/** Returns a word's folded form, or the words of a name that was written as one: stepdown, homehealth. */
function parted({ joined, words, foldedWords }: Lexicon, word: string): readonly string[] {
  const folded = words.get(word) ?? foldWord(word);
  return foldedWords.has(folded) ? [folded] : (joined.get(folded) ?? [folded]);
}

/** Returns the specialty whose name the words are, with short forms written out where that helps. */
function specialtyNamed({ names }: Lexicon, words: readonly string[]): Specialty | null {
  if (words.length === 0) return null;
  const tech = asTech(words);
  return (
    names.get(keyOf(words)) ??
    names.get(keyOf(tech)) ??
    (words.length > 1 ? names.get(keyOf(long(tech))) : undefined) ??
    null
  );
}

function asTech(words: readonly string[]): string[] {
  return words.map((word) => (word === 'technician' || word === 'technologist' ? 'tech' : word));
}

function long(words: readonly string[]): string[] {
  return words.map((word) => LONG.get(word) ?? word);
}

/**
 * Returns the specialty that the words name together. `ignoring`: words that can be ignored need not be
 * understood.
 */
function composed(lexicon: Lexicon, typed: readonly string[], ignoring: boolean): Specialty | null {
  const { phrases } = lexicon;
  if (typed.length < 2 || typed.length > MAX_WORDS) return null;
  const words = [...new Set(asTech(typed).map((word) => PEDIATRIC.get(word) ?? word))];
  const unknown = words.some((word) => !phrases.has(word) && !(ignoring && isIgnored(word)));
  if (unknown) return null;
  const matches = phrases.in(words);
  const ignored = ignoring ? maskOf(words, isIgnored) : 0;
  const searched: Searched = { words, matches, all: 2 ** words.length - 1, ignored };
  return (
    inProfession(lexicon, searched) ?? ofPhysicians(lexicon, searched) ?? withoutProfession(lexicon, searched)
  );
}

/** The words of a search and what is found of them, by the bits of their positions. */
interface Searched {
  words: readonly string[];
  matches: readonly Match[];
  /** The bits of all words, and of those that can be ignored. */
  all: number;
  ignored: number;
}

function wordsOf({ words }: Searched, mask: number): string[] {
  return words.filter((_, position) => (mask & (1 << position)) !== 0);
}

function maskOf(words: readonly string[], has: (word: string) => boolean): number {
  return words.reduce((mask, word, position) => (has(word) ? mask | (1 << position) : mask), 0);
}

/** Whether the matches within `rest` are all of its words but for the ignored ones. */
function cover(matches: readonly Match[], rest: number, ignored: number): boolean {
  const covered = matches.reduce(
    (mask, match) => ((match.mask & ~rest) === 0 ? mask | match.mask : mask),
    ignored,
  );
  return (rest & ~covered) === 0;
}

/** "ICU RN": the profession in the setting; as a whole if it has no code for it. */
function inProfession({ names }: Lexicon, searched: Searched): Specialty | null {
  const { matches, all, ignored } = searched;
  for (const { mask, meaning } of matches) {
    if (meaning.kind !== 'profession') continue;
    const { profession } = meaning;
    const rest = all & ~mask;
    if (profession.named.size > 0) {
      const special = profession.named.get(keyOf(wordsOf(searched, rest & ~ignored)));
      if (special !== undefined) return special;
    }
    const qualifiers = matches.filter(
      ({ meaning: { kind, ...other } }) =>
        kind === 'setting' ||
        kind === 'field' ||
        ('profession' in other && other.profession.whole === profession.whole),
    );
    if ((rest & ~ignored) === 0) return names.get(keyOf(wordsOf(searched, mask))) ?? profession.whole;
    if (cover(qualifiers, rest, ignored)) return inSettings(profession, qualifiers, rest) ?? profession.whole;
  }
  return null;
}

/** Returns the profession in the first of the settings for which it has codes. */
function inSettings({ inSetting }: Profession, matches: readonly Match[], rest: number): Specialty | null {
  const settings = matches.filter(({ mask, meaning }) => meaning.kind === 'setting' && (mask & ~rest) === 0);
  let first: number | undefined;
  for (const { mask, meaning } of settings) {
    if (meaning.kind !== 'setting' || !inSetting.has(meaning.setting)) continue;
    // A part of a setting is none: a "pediatric ICU" is not an ICU.
    const part = settings.some((other) => other.mask !== mask && (mask & ~other.mask) === 0);
    if (!part && (first === undefined || meaning.setting < first)) first = meaning.setting;
  }
  return first === undefined ? null : (inSetting.get(first) ?? null);
}

/** "ER doctor", "MD cardiology". */
function ofPhysicians({ fields, physicians }: Lexicon, searched: Searched): Specialty | null {
  const { matches, all, ignored } = searched;
  const said = matches.reduce(
    (mask, match) => (match.meaning.kind === 'physician' ? mask | match.mask : mask),
    0,
  );
  if (said === 0) return null;
  const rest = all & ~said;
  if ((rest & ~ignored) === 0) return physicians;
  const left = wordsOf(searched, rest & ~ignored);
  const direct =
    fields.get(keyOf(wordsOf(searched, rest))) ?? fields.get(keyOf(left)) ?? fields.get(keyOf(long(left)));
  if (direct !== undefined) return direct;
  const qualifiers = matches.filter(({ meaning }) => meaning.kind === 'field' || meaning.kind === 'setting');
  return cover(qualifiers, rest, ignored) ? (firstField(searched, rest, true) ?? physicians) : null;
}

/**
 * Returns the first of the fields, those that name a field before those that only describe one: "cardiac
 * anesthesiology".
 */
function firstField({ words, matches }: Searched, rest: number, places: boolean): Specialty | null {
  let described: Specialty | null = null;
  for (const { mask, meaning } of matches) {
    if (meaning.kind !== 'field' || (meaning.place && !places) || (mask & ~rest) !== 0) continue;
    if (words.some((word, position) => (mask & (1 << position)) !== 0 && NAMES_FIELD.test(word)))
      return meaning.specialty;
    described ??= meaning.specialty;
  }
  return described;
}

/** "neuro ICU" means nurses there, "outpatient cardiology" physicians. */
function withoutProfession({ nursing }: Lexicon, searched: Searched): Specialty | null {
  const { matches, all, ignored } = searched;
  const settings = matches.filter(({ meaning }) => meaning.kind === 'setting');
  const fields = matches.filter(({ meaning }) => meaning.kind === 'field' && !meaning.place);
  const covered = cover(settings, all, ignored);
  const own = settings.some(({ meaning }) => meaning.kind === 'setting' && meaning.unit && !meaning.anyone);
  if (covered && (own || fields.length === 0)) return inSettings(nursing, settings, all) ?? nursing.whole;
  return cover([...fields, ...settings], all, ignored) ? firstField(searched, all, false) : null;
}
