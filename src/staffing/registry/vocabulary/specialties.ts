import { createHash } from 'node:crypto';
import { lexiconOf } from './lexicon.ts';
import { type Specialty, understoodAs } from './specialty.ts';
import { suggesterOf } from './suggestions.ts';
import { isCodeShaped, isOfIndividuals, type TaxonomyEntry } from './taxonomy.ts';
import { understand } from './understanding.ts';
import { foldWord, MAX_TEXT, wordsIn } from './words.ts';

/** The specialties of a taxonomy, by its names and by everyday words. */
export interface Specialties {
  entryOf(code: string): TaxonomyEntry | null;
  /**
   * Returns the specialty with a code, or with a classification, grouping, display name or everyday name of
   * individuals; null when it is unknown.
   */
  resolve(text: string): Specialty | null;
  /**
   * Returns up to five names that are understood: `text` with typing errors corrected, then the names most
   * similar to it.
   */
  nearest(text: string): string[];
  /**
   * Returns the entries that `query` means, then those of individuals with all its words; all of individuals
   * without a query.
   */
  find(query: string | undefined): TaxonomyEntry[];
  /** The named specialties of more than one code. */
  readonly compound: readonly Specialty[];
}

/** The maximum of texts whose meaning is cached. */
const MAX_CACHED = 1000;

let last: { taxonomy: readonly TaxonomyEntry[]; specialties: Specialties } | undefined;

/**
 * Returns the specialties of a taxonomy. Those of the last one are cached: nearly all registry files have the
 * same.
 */
export function specialtiesOf(taxonomy: readonly TaxonomyEntry[]): Specialties {
  if (last === undefined || !sameTaxonomy(last.taxonomy, taxonomy)) {
    last = { taxonomy: [...taxonomy], specialties: newSpecialtiesOf(taxonomy) };
  }
  return last.specialties;
}

function sameTaxonomy(left: readonly TaxonomyEntry[], right: readonly TaxonomyEntry[]): boolean {
  const same = (one: TaxonomyEntry, other: TaxonomyEntry | undefined): boolean =>
    one.code === other?.code &&
    one.grouping === other.grouping &&
    one.classification === other.classification &&
    one.specialization === other.specialization &&
    one.name === other.name;
  return left.length === right.length && left.every((entry, position) => same(entry, right[position]));
}

function newSpecialtiesOf(taxonomy: readonly TaxonomyEntry[]): Specialties {
  const entries = new Map(taxonomy.map((entry) => [entry.code, entry]));
  const made = new Map<string, Specialty>();
  const make = makerOf(taxonomy, made);
  const lexicon = lexiconOf(taxonomy, make);
  const compound = [...made.values()].filter(({ codes }) => codes.length > 1);
  const individuals = taxonomy.filter(isOfIndividuals);
  let searched: { entry: TaxonomyEntry; text: string }[] | undefined;
  let suggest: ((text: string) => string[]) | undefined;

  // A walk asks the same with every page.
  const cache = new Map<string, Specialty | null>();
  const understood = (text: string): Specialty | null => {
    if (text.length > MAX_TEXT) return null;
    const cached = cache.get(text);
    if (cached !== undefined) return cached;
    if (cache.size >= MAX_CACHED) cache.clear();
    const specialty = understand(lexicon, text);
    cache.set(text, specialty);
    return specialty;
  };
  const resolve = (text: string): Specialty | null => {
    const code = text.trim().toUpperCase();
    if (!isCodeShaped(code)) return understood(text);
    const entry = entries.get(code);
    return entry === undefined ? null : make([entry]);
  };
  return {
    entryOf: (code) => entries.get(code) ?? null,
    resolve,
    nearest(text) {
      suggest ??= suggesterOf(lexicon, resolve);
      return suggest(text);
    },
    find(query) {
      if (query === undefined) return individuals;
      searched ??= individuals.map((entry) => ({ entry, text: searchedText(entry) }));
      const named = resolve(query)?.codes ?? [];
      const words = wordsIn(query).map((word) => [word, foldWord(word)] as const);
      const containing =
        words.length === 0
          ? []
          : searched.filter(({ text }) =>
              words.every(([word, folded]) => text.includes(word) || text.includes(folded)),
            );
      const found = new Set([...named, ...containing.map(({ entry }) => entry.code)]);
      return [...found].flatMap((code) => entries.get(code) ?? []);
    },
    compound,
  };
}

function searchedText({ code, grouping, classification, specialization, name }: TaxonomyEntry): string {
  const words = wordsIn([code, grouping, classification, specialization, name].join(' | '));
  return `${words.join(' ')} ${words.map(foldWord).join(' ')}`;
}

/** Returns a function that creates specialties into `made`; equal codes give the same one. */
function makerOf(
  taxonomy: readonly TaxonomyEntry[],
  made: Map<string, Specialty>,
): (group: readonly TaxonomyEntry[]) => Specialty {
  const order = new Map(taxonomy.map(({ code }, position) => [code, position]));
  return (group) => {
    const [one] = group;
    const single = group.length === 1 && one !== undefined ? made.get(one.code) : undefined;
    if (single !== undefined) return single;
    const codes = [...new Set(group.map(({ code }) => code))].sort();
    const key = codes.join(' ');
    const known = made.get(key);
    if (known !== undefined) return known;
    const named = new Map(group.map((entry) => [entry.code, entry]));
    const inOrder = [...named.values()].sort(
      (left, right) => (order.get(left.code) ?? 0) - (order.get(right.code) ?? 0),
    );
    const specialty = { label: labelOf(codes, key), codes, understoodAs: understoodAs(inOrder) };
    made.set(key, specialty);
    return specialty;
  };
}

/**
 * Returns the label of a list. That of several codes follows from the codes alone, so that a name whose
 * meaning a later version changes does not find the list of its former meaning in an older registry file.
 */
function labelOf(codes: readonly string[], key: string): string {
  const [only = ''] = codes;
  if (codes.length === 1) return only;
  return `${codes.length} codes ${createHash('sha256').update(key).digest('hex').slice(0, 16)}`;
}
