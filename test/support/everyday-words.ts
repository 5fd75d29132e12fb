import type { Specialties } from '../../src/staffing/registry/vocabulary/specialties.ts';
import type { TaxonomyEntry } from '../../src/staffing/registry/vocabulary/taxonomy.ts';

/** The maximum length of a meaning with names in the table of everyday words; a longer one has codes. */
const MAX_LENGTH = 104;

/**
 * Returns exactly what a search is understood as, in the form of the table of docs/staffing.md; null for an
 * unknown search.
 */
export function meaningOf(
  specialties: Specialties,
  taxonomy: readonly TaxonomyEntry[],
  text: string,
): string | null {
  const codes = new Set(specialties.resolve(text)?.codes);
  const entries = taxonomy.filter(({ code }) => codes.has(code));
  const [first] = entries;
  if (first === undefined) return null;
  if (entries.length === 1) return first.name;
  const withEach = (nameOf: (entry: TaxonomyEntry) => string): string =>
    `${entries.length} specialties: ${partsOf(entries, taxonomy, nameOf).join('; ')}`;
  const named = withEach(({ name }) => name);
  return named.length <= MAX_LENGTH ? named : withEach(({ code }) => code);
}

/**
 * Returns what entries are, in their order: whole groupings, whole classifications, a specialization in all
 * of a grouping, or one entry.
 */
function partsOf(
  entries: readonly TaxonomyEntry[],
  taxonomy: readonly TaxonomyEntry[],
  nameOf: (entry: TaxonomyEntry) => string,
): string[] {
  const hasAll = (like: (entry: TaxonomyEntry) => boolean): boolean => {
    const all = taxonomy.filter(like);
    return all.length > 1 && all.every((entry) => entries.includes(entry));
  };
  const parts = entries.map((entry) => {
    const { grouping, classification, specialization } = entry;
    if (hasAll((other) => other.grouping === grouping)) return `all ${grouping}`;
    if (hasAll((other) => other.classification === classification)) return `all ${classification}`;
    const sameName = (other: TaxonomyEntry): boolean =>
      other.grouping === grouping && other.specialization === specialization;
    return specialization !== null && hasAll(sameName) ? `every ${specialization}` : nameOf(entry);
  });
  return [...new Set(parts)];
}
