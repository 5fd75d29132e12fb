import { PHYSICIAN, PHYSICIANS, PHYSICIANS_IN } from './everyday/physicians.ts';
import { NURSES, PROFESSIONS } from './everyday/professions.ts';
import { UNITS } from './everyday/settings.ts';
import { TECHNICIANS } from './everyday/technicians.ts';
import type { Term } from './everyday/term.ts';
import { type Meaning, Phrases } from './phrases.ts';
import { type Make, type Profession, professionOf, SETTINGS } from './professions.ts';
import type { Specialty } from './specialty.ts';
import { isOfIndividuals, type TaxonomyEntry } from './taxonomy.ts';
import { foldWord, keyOf, keyOfText, keyWithRepeated, wordsIn } from './words.ts';

const ALL_PHYSICIANS = 'Allopathic & Osteopathic Physicians';
/** The nurses that settings have codes for. */
const REGISTERED_NURSE = 'Registered Nurse';
/** The maximum of words of a name that is understood when written as one. */
const MAX_JOINED = 4;

/** The names and phrases that searches are understood by. */
export interface Lexicon {
  /** What names mean by themselves, by key. */
  names: ReadonlyMap<string, Specialty>;
  /** What names of specialties mean beside a word for a physician, by key. */
  fields: ReadonlyMap<string, Specialty>;
  physicians: Specialty;
  nursing: Profession;
  phrases: Phrases;
  /** The names that mean something by themselves, as written in the taxonomy and the lists of everyday words, with their keys. */
  written: readonly { text: string; key: string }[];
  /** The folded forms of all words of names. */
  words: ReadonlyMap<string, string>;
  foldedWords: ReadonlySet<string>;
  /** The folded words of names of several words, by the name written as one word. */
  joined: ReadonlyMap<string, readonly string[]>;
}

/** Returns the lexicon of a taxonomy's specialties of individuals. Of several meanings of a name the first given counts. */
export function lexiconOf(taxonomy: readonly TaxonomyEntry[], make: Make): Lexicon {
  const entries = taxonomy.filter(isOfIndividuals);
  const meant = meaningsOf(entries);
  const names = new Map<string, Specialty>();
  const fields = new Map<string, Specialty>();
  const phrases: { key: string; meaning: Meaning }[] = [];
  const written: { text: string; key: string }[] = [];
  const folded = new Map<string, string>();
  const joined = new Map<string, readonly string[]>();

  /** Returns the key of a name, and notes its words. */
  const see = (text: string): string => {
    const own = wordsIn(text).map((word) => {
      const known = folded.get(word) ?? foldWord(word);
      folded.set(word, known);
      return known;
    });
    if (own.length > 1 && own.length <= MAX_JOINED && !joined.has(own.join('')))
      joined.set(own.join(''), own);
    return keyOf(own);
  };
  const give = (text: string, key: string, specialty: Specialty): void => {
    if (key === '' || names.has(key)) return;
    names.set(key, specialty);
    written.push({ text, key });
  };
  const giveField = (key: string, specialty: Specialty, place: boolean): void => {
    phrases.push({ key, meaning: { kind: 'field', specialty, place } });
    if (!fields.has(key)) fields.set(key, specialty);
  };
  const giveProfession = (key: string, profession: Profession): void => {
    phrases.push({ key, meaning: { kind: 'profession', profession } });
  };
  const eachTerm = (terms: readonly Term[], body: (group: TaxonomyEntry[], list: string[]) => void): void => {
    for (const [list, meaning] of terms) {
      const group = meant(meaning);
      if (group.length > 0) body(group, list.split(', '));
    }
  };

  eachTerm([NURSES], (group, list) => {
    for (const text of list) give(text, see(text), make(group));
  });
  for (const part of [classificationOf, groupingOf]) {
    for (const [text, group] of Map.groupBy(entries, part)) give(text, see(text), make(group));
  }
  for (const [text, group] of Map.groupBy(entries, displayNameOf)) {
    // Two names differ only in which of their words they repeat.
    const repeated = keyWithRepeated(wordsIn(text).map(foldWord));
    if (!names.has(repeated)) names.set(repeated, make(group));
    give(text, see(text), make(group));
  }
  eachTerm([...PROFESSIONS, ...TECHNICIANS], (group, list) => {
    const profession = professionOf(group, make);
    for (const text of list) {
      const key = see(text);
      give(text, key, profession.whole);
      giveProfession(key, profession);
    }
  });
  const ofPhysicians = entries.filter((entry) => groupingOf(entry) === ALL_PHYSICIANS);
  const ofOthers = entries.filter((entry) => groupingOf(entry) !== ALL_PHYSICIANS);
  for (const [text, group] of Map.groupBy(ofOthers, classificationOf)) {
    giveProfession(keyOfText(text), professionOf(group, make));
  }

  const physicians = make(ofPhysicians);
  for (const text of PHYSICIAN.split(', ')) {
    const key = see(text);
    give(text, key, physicians);
    phrases.push({ key, meaning: { kind: 'physician' } });
  }
  eachTerm(PHYSICIANS, (group, list) => {
    const specialty = make(group);
    for (const text of list) {
      const key = see(text);
      give(text, key, specialty);
      giveField(key, specialty, false);
    }
  });
  eachTerm(PHYSICIANS_IN, (group, list) => {
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
  );
  for (const [setting, { names: list, anyone = false }] of SETTINGS.entries()) {
    const unit = setting < UNITS.length;
    const alone = nursing.inSetting.get(setting) ?? (unit ? nursing.whole : undefined);
    for (const text of list.split(', ')) {
      const key = see(text);
      if (alone !== undefined) give(text, key, alone);
      phrases.push({ key, meaning: { kind: 'setting', setting, unit, anyone } });
    }
  }
  eachTerm(PHYSICIANS_IN, (group, list) => {
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

/** Returns a function that gives the entries of a term's meaning: codes, classifications, groupings or display names. */
function meaningsOf(entries: readonly TaxonomyEntry[]): (meaning: string) => TaxonomyEntry[] {
  const named = new Map<string, TaxonomyEntry[]>(entries.map((entry) => [entry.code, [entry]]));
  for (const part of [classificationOf, groupingOf, displayNameOf]) {
    for (const [text, group] of Map.groupBy(entries, part)) if (!named.has(text)) named.set(text, group);
  }
  return (meaning) => meaning.split('|').flatMap((each) => named.get(each) ?? []);
}

const classificationOf = ({ classification }: TaxonomyEntry): string => classification;
const groupingOf = ({ grouping }: TaxonomyEntry): string => grouping;
const displayNameOf = ({ name }: TaxonomyEntry): string => name;
const specializationOf = ({ specialization }: TaxonomyEntry): string => specialization ?? '';
