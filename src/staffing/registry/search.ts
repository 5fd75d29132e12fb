import { ANYWHERE, EVERYBODY } from '../../../db/staffing/registry/schema.ts';
import type { Registry } from './open.ts';
import {
  type ClinicianRow,
  countUpTo,
  type PagePosition,
  type Range,
  selectClinicians,
  selectPage,
  storedCount,
} from './store.ts';
import { type Specialty, specialtyOfUnnamedCode } from './vocabulary/specialties.ts';
import { isCodeShaped } from './vocabulary/taxonomy.ts';

export type { ClinicianRow, PagePosition } from './store.ts';

/** The filters of a search; null for no filter. */
export interface Filters {
  /** A state's abbreviation of two letters. */
  state: string | null;
  specialty: Specialty | null;
  /** Folded. */
  surname: string | null;
  /** True if the surname must match exactly, false if as a prefix. */
  exact: boolean;
}

/** The index range of a registry that filters select. */
export interface SearchRange {
  filters: Filters;
  range: Range;
}

/** The maximum of a total that is not stored and must be counted. */
const MAX_COUNTED = 10_000;

/** Greater than every character of a key, which has only letters and digits: ends the range of a prefix. */
const HIGHEST = '\u{10ffff}';
/** Less than every character of a key: ends the range of an exact key, before its extensions. */
const LOWEST = ' ';

/** Returns the specialty with a name, or a code that clinicians have but the taxonomy does not; null for an unknown text. */
export function specialtyIn({ specialties: named, lists }: Registry, text: string): Specialty | null {
  const known = named.resolve(text);
  if (known !== null) return known;
  const code = text.toUpperCase();
  return isCodeShaped(code) && lists.has(code) ? specialtyOfUnnamedCode(code) : null;
}

/** Returns the lists and the range of names for the filters of a search. */
export function searchRangeOf({ lists }: Registry, filters: Filters): SearchRange {
  const { surname, exact, specialty } = filters;
  const own = lists.get(labelOf(filters));
  const merged =
    own?.listed === true ? [own] : (specialty?.codes ?? []).flatMap((code) => lists.get(code) ?? []);
  return {
    filters,
    range: {
      lists: merged.map(({ list }) => list),
      state: filters.state ?? undefined,
      names: surname === null ? 'whole' : exact ? 'exact' : 'prefix',
      from: surname ?? '',
      before: surname === null ? HIGHEST : surname + (exact ? LOWEST : HIGHEST),
    },
  };
}

/** Returns up to `limit` positions of matching clinicians after a position or from the first, by matched name, first name and NPI. */
export async function positionsIn(
  registry: Registry,
  { range }: SearchRange,
  after: PagePosition | undefined,
  limit: number,
): Promise<PagePosition[]> {
  return range.lists.length === 0 ? [] : selectPage(registry, range, after, limit);
}

/** Returns the number of matching clinicians. `total_exact` is false when counting stopped at the maximum. */
export async function totalOf(registry: Registry, { filters, range }: SearchRange) {
  const list = registry.lists.get(labelOf(filters));
  if (filters.surname === null && list !== undefined) {
    return { total: await storedCount(registry, list.list, filters.state ?? ANYWHERE), total_exact: true };
  }
  const counted = range.lists.length === 0 ? 0 : await countUpTo(registry, range, MAX_COUNTED + 1);
  return { total: Math.min(counted, MAX_COUNTED), total_exact: counted <= MAX_COUNTED };
}

/** Returns the rows of the given clinicians in their order, without missing ones. */
export function cliniciansOf(registry: Registry, npis: readonly number[]): Promise<ClinicianRow[]> {
  return selectClinicians(registry, npis);
}

function labelOf({ specialty }: Filters): string {
  return specialty?.label ?? EVERYBODY;
}
