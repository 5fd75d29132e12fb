import { distance } from 'fastest-levenshtein';
import { ROLES, type Role, SPECIALIZATIONS, SYNONYMS } from './synonyms.ts';
import { isCodeShaped, type TaxonomyEntry } from './taxonomy.ts';

/** What somebody asked for by name: the clinicians who have any of these codes. */
export interface Specialty {
  /** Names the list that is kept of them: the code itself where it is one. */
  label: string;
  codes: readonly string[];
}

/** The names that a taxonomy gives, and those that the field uses for them. */
export interface Specialties {
  entryOf(code: string): TaxonomyEntry | undefined;
  /** What `text` names: a code, classification, grouping, display name or everyday word; null if it is unknown. */
  resolve(text: string): Specialty | null;
  /** Up to five names that are most like `text`, nearest first. */
  nearest(text: string): string[];
  /** The entries that `query` names, then those that contain all its words; all of them without a query. */
  find(query: string | undefined): TaxonomyEntry[];
  /** Those of several codes that have a name. */
  readonly compound: readonly Specialty[];
}

const SUGGESTIONS = 5;
/** A longer text is like no name, and comparing takes time with its length. */
const COMPARED = 100;

export function specialtiesOf(taxonomy: readonly TaxonomyEntry[]): Specialties {
  const entries = new Map(taxonomy.map((entry) => [entry.code, entry]));
  const make = specialtyMaker();
  const names = namesOf(taxonomy, make);
  const roles = ROLES.map((role) => ({ words: role.words, named: namesWithin(taxonomy, role, make) }));
  const official = taxonomy.flatMap((entry) => [entry.classification, entry.grouping, entry.name]);
  const suggested = [...new Set([...official, ...Object.keys(SYNONYMS)])].map((name) => ({
    name,
    key: plain(name),
  }));
  const searched = taxonomy.map((entry) => ({ entry, key: plain(Object.values(entry).join(' ')) }));

  const resolve = (text: string): Specialty | null => {
    const code = text.trim().toUpperCase();
    if (isCodeShaped(code)) return entries.has(code) ? { label: code, codes: [code] } : null;
    const key = plain(text);
    const known = names.get(key);
    if (known !== undefined) return known;
    for (const { words, named } of roles) {
      const found = words.map((word) => named.get(besides(key, word) ?? ''));
      const first = found.find((specialty) => specialty !== undefined);
      if (first !== undefined) return first;
    }
    return null;
  };

  return {
    entryOf: (code) => entries.get(code),
    resolve,
    nearest(text) {
      const key = plain(text.slice(0, COMPARED));
      if (key === '') return [];
      return suggested
        .map(({ name, key: other }) => ({ name, far: unlikeness(key, other) }))
        .sort((left, right) => left.far - right.far)
        .slice(0, SUGGESTIONS)
        .map(({ name }) => name);
    },
    find(query) {
      if (query === undefined) return [...taxonomy];
      const named = resolve(query)?.codes ?? [];
      const words = plain(query).split(' ');
      const containing = searched.filter(({ key }) => words.every((word) => key.includes(word)));
      const found = new Set([...named, ...containing.map(({ entry }) => entry.code)]);
      return [...found].flatMap((code) => entries.get(code) ?? []);
    },
    compound: [
      ...new Map(compoundOf(names, roles).map((specialty) => [specialty.label, specialty])).values(),
    ],
  };
}

/** Lower-case words parted by single spaces, without marks and punctuation, so that OB/GYN is ob gyn. */
function plain(text: string): string {
  return text
    .normalize('NFD')
    .replace(/[\p{M}'’]/gu, '')
    .toLowerCase()
    .replaceAll('&', ' and ')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/** What stands before or behind `word` in `key`; null where it is not at an end. */
function besides(key: string, word: string): string | null {
  if (key.startsWith(`${word} `)) return key.slice(word.length + 1);
  if (key.endsWith(` ${word}`)) return key.slice(0, -word.length - 1);
  return null;
}

/** 0 to 1; names that contain the text come before all that have to be spelt otherwise. */
function unlikeness(key: string, name: string): number {
  const share = distance(key, name) / Math.max(key.length, name.length);
  return key.length > 2 && name.includes(key) ? share / 4 : share;
}

/** Every name by its key. Of two that are the same, the wider one counts: a classification before its first code. */
function namesOf(taxonomy: readonly TaxonomyEntry[], make: Make): Map<string, Specialty> {
  const names = new Map<string, Specialty>();
  const give = (kind: string, nameOf: (entry: TaxonomyEntry) => string): void => {
    for (const [key, group] of Map.groupBy(taxonomy, (entry) => plain(nameOf(entry)))) {
      if (!names.has(key)) names.set(key, make(`${kind} ${key}`, group));
    }
  };
  give('classification', (entry) => entry.classification);
  give('grouping', (entry) => entry.grouping);
  give('name', (entry) => entry.name);
  const byCode = new Map(taxonomy.map((entry) => [entry.code, [entry]]));
  const byClassification = Map.groupBy(taxonomy, (entry) => entry.classification);
  const byGrouping = Map.groupBy(taxonomy, (entry) => entry.grouping);
  const byDisplayName = Map.groupBy(taxonomy, (entry) => entry.name);
  for (const [word, meaning] of Object.entries(SYNONYMS)) {
    const group = [meaning]
      .flat()
      .flatMap(
        (name) =>
          byCode.get(name) ??
          byClassification.get(name) ??
          byGrouping.get(name) ??
          byDisplayName.get(name) ??
          [],
      );
    if (names.has(plain(word)) || group.length === 0) continue;
    names.set(plain(word), make(`word ${word}`, group));
  }
  for (const { words, of } of ROLES) {
    const name = 'classification' in of ? of.classification : of.grouping;
    const specialty = names.get(plain(name));
    for (const word of words) if (specialty !== undefined && !names.has(word)) names.set(word, specialty);
  }
  return names;
}

/** What can be named beside a role: its specializations and, where it is a grouping, its classifications. */
function namesWithin(
  taxonomy: readonly TaxonomyEntry[],
  { of, words }: Role,
  make: Make,
): Map<string, Specialty> {
  const [word = ''] = words;
  const isWhole = 'grouping' in of;
  const own = taxonomy.filter((entry) =>
    isWhole ? entry.grouping === of.grouping : entry.classification === of.classification,
  );
  const named = new Map<string, Specialty>();
  const give = (key: string, group: readonly TaxonomyEntry[]): void => {
    if (!named.has(key)) named.set(key, make(`${word} ${key}`, group));
  };
  if (isWhole)
    for (const [name, group] of Map.groupBy(own, (entry) => plain(entry.classification))) give(name, group);
  const special = own.filter((entry) => entry.specialization !== null);
  for (const [name, group] of Map.groupBy(special, (entry) => plain(entry.specialization ?? '')))
    give(name, group);
  for (const [shorter, longer] of Object.entries(SPECIALIZATIONS)) {
    const specialty = named.get(longer);
    if (specialty !== undefined && !named.has(shorter)) named.set(shorter, specialty);
  }
  if (!isWhole) return named;
  for (const [everyday, meaning] of Object.entries(SYNONYMS)) {
    const meant = [meaning].flat();
    const group = own.filter((e) => meant.includes(e.code) || meant.includes(e.classification));
    if (group.length > 0) give(plain(everyday), group);
  }
  return named;
}

type Make = (label: string, group: readonly TaxonomyEntry[]) => Specialty;

/** Makes specialties so that the same codes are the same specialty, by the label that they were given first. */
function specialtyMaker(): Make {
  const made = new Map<string, Specialty>();
  return (label, group) => {
    const codes = [...new Set(group.map(({ code }) => code))].sort();
    const [only = ''] = codes;
    const key = codes.join(' ');
    const specialty = made.get(key) ?? { label: codes.length === 1 ? only : label, codes };
    made.set(key, specialty);
    return specialty;
  };
}

function compoundOf(
  names: Map<string, Specialty>,
  roles: readonly { named: Map<string, Specialty> }[],
): Specialty[] {
  return [names, ...roles.map(({ named }) => named)]
    .flatMap((some) => [...some.values()])
    .filter(({ codes }) => codes.length > 1);
}
