import { distance } from 'fastest-levenshtein';
import { ROLES, type Role, SPECIALIZATIONS, SYNONYMS } from './synonyms.ts';
import { isCodeShaped, type TaxonomyEntry } from './taxonomy.ts';

/** A named specialty: the clinicians who have any of its codes. */
export interface Specialty {
  /** The label of its list; for a single code, the code. */
  label: string;
  codes: readonly string[];
  /** The codes and their names as the JSON text of an array, in the order of the taxonomy: [{"code":…,"name":…}, …]. */
  understoodAs: string;
}

/** Returns the specialty of a code that clinicians have but the taxonomy does not. */
export function specialtyOfUnnamedCode(code: string): Specialty {
  return { label: code, codes: [code], understoodAs: understoodAs([{ code, name: null }]) };
}

function understoodAs(entries: readonly { code: string; name: string | null }[]): string {
  return JSON.stringify(entries.map(({ code, name }) => ({ code, name })));
}

/** The specialties of a taxonomy, by its names and by common synonyms. */
export interface Specialties {
  entryOf(code: string): TaxonomyEntry | undefined;
  /** Returns the specialty with a code, classification, grouping, display name or synonym; null when it is unknown. */
  resolve(text: string): Specialty | null;
  /** Returns up to five names most similar to `text`, the most similar first. */
  nearest(text: string): string[];
  /** Returns the entries with the name `query`, then those that contain all its words; all entries without a query. */
  find(query: string | undefined): TaxonomyEntry[];
  /** The named specialties of more than one code. */
  readonly compound: readonly Specialty[];
}

const SUGGESTIONS = 5;
/** The maximum length of a text to compare: a longer text is similar to no name, and the cost grows with the length. */
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
    if (isCodeShaped(code)) {
      const entry = entries.get(code);
      return entry === undefined ? null : make(code, [entry]);
    }
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

/** Normalizes text to lower-case words separated by single spaces, without marks and punctuation: OB/GYN becomes ob gyn. */
function plain(text: string): string {
  return text
    .normalize('NFD')
    .replace(/[\p{M}'’]/gu, '')
    .toLowerCase()
    .replaceAll('&', ' and ')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/** Returns `key` without `word` at its start or end; null when `word` is at neither. */
function besides(key: string, word: string): string | null {
  if (key.startsWith(`${word} `)) return key.slice(word.length + 1);
  if (key.endsWith(` ${word}`)) return key.slice(0, -word.length - 1);
  return null;
}

/** Returns the dissimilarity, 0 to 1. Names that contain the text are more similar than all others. */
function unlikeness(key: string, name: string): number {
  const share = distance(key, name) / Math.max(key.length, name.length);
  return key.length > 2 && name.includes(key) ? share / 4 : share;
}

/** Maps each name's key to its specialty. Of equal names, the broader one counts: a classification before its first code. */
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

/** Returns the names that can go with a role: its specializations and, for a grouping, its classifications. */
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

/** Returns a function that creates specialties; equal codes give the same specialty, with the first label. */
function specialtyMaker(): Make {
  const made = new Map<string, Specialty>();
  return (label, group) => {
    const codes = [...new Set(group.map(({ code }) => code))].sort();
    const [only = ''] = codes;
    const key = codes.join(' ');
    const specialty = made.get(key) ?? {
      label: codes.length === 1 ? only : label,
      codes,
      understoodAs: understoodAs(group),
    };
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
