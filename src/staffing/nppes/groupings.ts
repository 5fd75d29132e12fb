import { distance } from 'fastest-levenshtein';
import { Failure } from '../../platform/failure.ts';
import type { DisseminationOptions, TaxonomyOfGroupings } from './rows.ts';

/**
 * The groupings of `clinical`: those of individuals in the taxonomy, without "Student, Health Care" and
 * "Other Service Providers" (which are, for example, interpreters, drivers and community workers).
 */
export const CLINICAL_GROUPINGS: readonly string[] = [
  'Allopathic & Osteopathic Physicians',
  'Behavioral Health & Social Service Providers',
  'Chiropractic Providers',
  'Dental Providers',
  'Dietary & Nutritional Service Providers',
  'Emergency Medical Service Providers',
  'Eye and Vision Services Providers',
  'Group',
  'Nursing Service Providers',
  'Nursing Service Related Providers',
  'Pharmacy Service Providers',
  'Physician Assistants & Advanced Practice Nursing Providers',
  'Podiatric Medicine & Surgery Service Providers',
  'Respiratory, Developmental, Rehabilitative and Restorative Service Providers',
  'Speech, Language and Hearing Service Providers',
  'Technologists, Technicians & Other Technical Service Providers',
];

const SUGGESTIONS = 3;

/**
 * Returns the groupings that a user named: `all` (null), `clinical`, or names, separated by semicolons
 * because names contain commas, in any case.
 *
 * @throws Failure with suggestions for a name that the taxonomy does not have
 */
export function groupingsOf(text: string, taxonomy: readonly TaxonomyOfGroupings[]): string[] | null {
  const known = new Map(taxonomy.map(({ grouping }) => [grouping.toLowerCase(), grouping]));
  const wanted = wantedIn(text, known);
  if (wanted.includes('all')) return null;
  const groupings = new Set<string>();
  for (const name of wanted) {
    if (name === 'clinical') for (const one of CLINICAL_GROUPINGS) groupings.add(one);
    else groupings.add(known.get(name) ?? refuse(name, [...known.values()]));
  }
  return [...groupings].sort();
}

/** Returns the names in a text. A whole text that is a name with commas counts as one. */
function wantedIn(text: string, known: ReadonlyMap<string, string>): string[] {
  const names = text
    .split(';')
    .map((name) => name.trim().replace(/\s+/g, ' ').toLowerCase())
    .filter((name) => name !== '');
  if (names.length === 0) {
    throw new Failure('no grouping is named', 'specify all, clinical, or names of groupings', 2);
  }
  return names.flatMap((name) => (known.has(name) ? [name] : withCommas(name, known)));
}

/** Splits at commas if each part is a name. */
function withCommas(name: string, known: ReadonlyMap<string, string>): string[] {
  const parts = name.split(',').map((part) => part.trim());
  const areNames = parts.every((part) => known.has(part) || part === 'all' || part === 'clinical');
  return areNames ? parts : [name];
}

function refuse(name: string, known: readonly string[]): never {
  const nearest = known
    .map((other) => ({ other, far: unlikeness(name, other.toLowerCase()) }))
    .sort((left, right) => left.far - right.far)
    .slice(0, SUGGESTIONS)
    .map(({ other }) => `"${other}"`);
  throw new Failure(
    `the taxonomy has no grouping "${name}"; the nearest are ${nearest.join(', ')}`,
    'specify all, clinical, or names of groupings, separated by semicolons',
    2,
  );
}

function unlikeness(name: string, other: string): number {
  const share = distance(name, other) / Math.max(name.length, other.length);
  return other.includes(name) ? share / 4 : share;
}

/**
 * Returns whether a clinician with some codes is kept: with groupings, if one of the codes is in one of them.
 */
export function keptBy({ groupings, taxonomy }: DisseminationOptions): (codes: readonly string[]) => boolean {
  if (groupings === null) return () => true;
  const names = new Set(groupings);
  const kept = new Set(taxonomy.filter(({ grouping }) => names.has(grouping)).map(({ code }) => code));
  return (codes) => codes.some((code) => kept.has(code));
}
