import { namesOf, type Term, termsOf } from './everyday-words.ts';
import { type Interpretation, Phrases } from './phrases.ts';
import { type Profession, professionOf, SETTINGS, type SpecialtyFactory, UNITS } from './professions.ts';
import type { Specialty } from './specialty.ts';
import { isOfIndividuals, type TaxonomyEntry } from './taxonomy.ts';
import { foldWord, keyOf, keyWithRepeated, wordsIn } from './words.ts';

const ALL_PHYSICIANS = 'Allopathic & Osteopathic Physicians';
/** The nurses that settings have codes for. */
const REGISTERED_NURSE = 'Registered Nurse';
/** The maximum of words of a name that is understood when written as one. */
const MAX_JOINED = 4;
/** How many names of a term are common. */
const COMMON = 2;

/** The names and phrases that searches are understood by. */
export interface Lexicon {
  /** What names mean by themselves, by key. */
  names: ReadonlyMap<string, Specialty>;
  /** What names of specialties mean next to a word for a physician, by key. */
  fields: ReadonlyMap<string, Specialty>;
  physicians: Specialty;
  nursing: Profession;
  phrases: Phrases;
  /**
   * The names that mean something by themselves, as written. Common ones are those of the taxonomy and the
   * first of each term.
   */
  written: readonly { text: string; key: string; common: boolean }[];
  /** The folded forms of all words of names. */
  words: ReadonlyMap<string, string>;
  foldedWords: ReadonlySet<string>;
  /** The folded words of names of several words, by the name written as one word. */
  joined: ReadonlyMap<string, readonly string[]>;
}

/**
 * Returns the lexicon of a taxonomy's specialties of individuals. Of several meanings of a name the first
 * given counts.
 */
export function lexiconOf(taxonomy: readonly TaxonomyEntry[], make: SpecialtyFactory): Lexicon {
  const entries = taxonomy.filter(isOfIndividuals);
  const meant = meaningsOf(entries);
  const names = new Map<string, Specialty>();
  const fields = new Map<string, Specialty>();
  const phrases: { key: string; meaning: Interpretation }[] = [];
  const written: { text: string; key: string; common: boolean }[] = [];
  const folded = new Map<string, string>();
  const joined = new Map<string, readonly string[]>();

  const keys = new Map<string, string>();
  const repeatedKeys = new Map<string, string>();

  /** Returns the key of a name, and notes its words. */
  const see = (text: string): string => {
    const seen = keys.get(text);
    if (seen !== undefined) return seen;
    const own = wordsIn(text).map((word) => {
      const known = folded.get(word) ?? foldWord(word);
      folded.set(word, known);
      return known;
    });
    if (own.length > 1 && own.length <= MAX_JOINED && !joined.has(own.join('')))
      joined.set(own.join(''), own);
    const key = keyOf(own);
    if (own.length > 3 && new Set(own).size < own.length) repeatedKeys.set(text, keyWithRepeated(own));
    keys.set(text, key);
    return key;
  };
  const give = (text: string, key: string, specialty: Specialty, common = true): void => {
    if (key === '' || names.has(key)) return;
    names.set(key, specialty);
    written.push({ text, key, common });
  };
  const giveField = (key: string, specialty: Specialty, place: boolean): void => {
    phrases.push({ key, meaning: { kind: 'field', specialty, place } });
    if (!fields.has(key)) fields.set(key, specialty);
  };
  const giveProfession = (key: string, profession: Profession): void => {
    phrases.push({ key, meaning: { kind: 'profession', profession } });
  };
  const eachTerm = (
    terms: readonly Term[],
    body: (group: readonly TaxonomyEntry[], list: readonly string[]) => void,
  ): void => {
    for (const { names: list, meaning } of terms) {
      const group = meant(meaning);
      if (group.length > 0) body(group, list);
    }
  };

  eachTerm(termsOf('nurse'), (group, list) => {
    for (const text of list) give(text, see(text), make(group));
  });
  for (const part of [classificationOf, groupingOf]) {
    for (const [text, group] of Map.groupBy(entries, part)) give(text, see(text), make(group));
  }
  for (const [text, group] of Map.groupBy(entries, displayNameOf)) {
    // Two names differ only in which of their words they repeat.
    const key = see(text);
    const repeated = repeatedKeys.get(text);
    if (repeated !== undefined && !names.has(repeated)) names.set(repeated, make(group));
    give(text, key, make(group));
  }
  eachTerm([...termsOf('profession'), ...termsOf('technician')], (group, list) => {
    const profession = professionOf(group, make, see);
    for (const [position, text] of list.entries()) {
      const key = see(text);
      give(text, key, profession.whole, position < COMMON);
      giveProfession(key, profession);
    }
  });
  const ofPhysicians = entries.filter((entry) => groupingOf(entry) === ALL_PHYSICIANS);
  const ofOthers = entries.filter((entry) => groupingOf(entry) !== ALL_PHYSICIANS);
  for (const [text, group] of Map.groupBy(ofOthers, classificationOf)) {
    giveProfession(see(text), professionOf(group, make, see));
  }
  for (const [text, group] of Map.groupBy(ofOthers, displayNameOf)) {
    giveProfession(see(text), { whole: make(group), named: new Map(), inSetting: new Map() });
  }

  const physicians = make(ofPhysicians);
  for (const text of namesOf('physician')) {
    const key = see(text);
    give(text, key, physicians);
    phrases.push({ key, meaning: { kind: 'physician' } });
  }
  eachTerm(termsOf('specialty'), (group, list) => {
    const specialty = make(group);
    for (const [position, text] of list.entries()) {
      const key = see(text);
      give(text, key, specialty, position < COMMON);
      giveField(key, specialty, false);
    }
  });
  eachTerm(termsOf('place'), (group, list) => {
    for (const text of list) fields.set(see(text), make(group));
  });
  for (const part of [specializationOf, classificationOf]) {
    for (const [text, group] of Map.groupBy(ofPhysicians, part)) {
      if (text === '') continue;
      const key = see(text);
      give(text, key, make(group));
      giveField(key, make(group), false);
    }
  }

  const nursing = professionOf(
    entries.filter((entry) => classificationOf(entry) === REGISTERED_NURSE),
    make,
    see,
  );
  for (const [setting, { names: list, anyone }] of SETTINGS.entries()) {
    const unit = setting < UNITS.length;
    const alone = nursing.inSetting.get(setting) ?? (unit ? nursing.whole : undefined);
    for (const [position, text] of list.entries()) {
      const key = see(text);
      if (alone !== undefined) give(text, key, alone, position < COMMON);
      phrases.push({ key, meaning: { kind: 'setting', setting, unit, anyone } });
    }
  }
  eachTerm(termsOf('place'), (group, list) => {
    for (const text of list) giveField(see(text), make(group), true);
  });
  return {
    names,
    fields,
    physicians,
    nursing,
    phrases: new Phrases(phrases),
    written,
    words: folded,
    foldedWords: new Set(folded.values()),
    joined,
  };
}

/**
 * Returns a function that gives the entries of a term's meaning: codes, classifications, groupings or display
 * names.
 */
function meaningsOf(entries: readonly TaxonomyEntry[]): (meaning: string) => readonly TaxonomyEntry[] {
  const entriesByName = new Map<string, readonly TaxonomyEntry[]>(
    entries.map((entry) => [entry.code, [entry]]),
  );
  for (const part of [classificationOf, groupingOf, displayNameOf]) {
    for (const [text, group] of Map.groupBy(entries, part))
      if (!entriesByName.has(text)) entriesByName.set(text, group);
  }
  return (meaning) => {
    const [only = '', ...alternatives] = meaning.split('|');
    const first = entriesByName.get(only) ?? [];
    return alternatives.length === 0
      ? first
      : [first, ...alternatives.map((each) => entriesByName.get(each) ?? [])].flat();
  };
}

const classificationOf = ({ classification }: TaxonomyEntry): string => classification;
const groupingOf = ({ grouping }: TaxonomyEntry): string => grouping;
const displayNameOf = ({ name }: TaxonomyEntry): string => name;
const specializationOf = ({ specialization }: TaxonomyEntry): string => specialization ?? '';
