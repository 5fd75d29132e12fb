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
import type { Specialty } from './vocabulary/specialties.ts';
import { isCodeShaped } from './vocabulary/taxonomy.ts';

export type { ClinicianRow, PagePosition } from './store.ts';

/** What a search asks for; null where it does not filter. */
export interface Filters {
  /** The two letters of a state. */
  state: string | null;
  specialty: Specialty | null;
  /** Folded. */
  surname: string | null;
  /** Whether only the very surname counts, and not all that begin with it. */
  exact: boolean;
}

/** What of a registry filters mean. */
export interface Searched {
  filters: Filters;
  range: Range;
}

/** How far a total is counted where none is kept. */
const MOST_COUNTED = 10_000;

/** Keys have letters and digits alone: all that begin with one lie before it and this, all others behind. */
const HIGHEST = '\u{10ffff}';
/** Between a key and all longer ones that begin with it. */
const LOWEST = ' ';

/** The specialty that a text names, or a code that clinicians have and the taxonomy does not; null where it is neither. */
export function specialtyIn({ specialties: named, lists }: Registry, text: string): Specialty | null {
  const known = named.resolve(text);
  if (known !== null) return known;
  const code = text.toUpperCase();
  return isCodeShaped(code) && lists.has(code) ? { label: code, codes: [code] } : null;
}

/** The lists and names that a search with some filters looks at. */
export function searchedBy({ lists }: Registry, filters: Filters): Searched {
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

/** Up to `rows` places of clinicians who match, behind one or from the first, in order of the name that matched, first name and NPI. */
export async function positionsIn(
  registry: Registry,
  { range }: Searched,
  after: PagePosition | undefined,
  rows: number,
): Promise<PagePosition[]> {
  return range.lists.length === 0 ? [] : selectPage(registry, range, after, rows);
}

/** How many clinicians match. `total_exact` is false where there are more, and nobody counted further. */
export async function totalOf(registry: Registry, { filters, range }: Searched) {
  const kept = registry.lists.get(labelOf(filters));
  if (filters.surname === null && kept !== undefined) {
    return { total: await storedCount(registry, kept.list, filters.state ?? ANYWHERE), total_exact: true };
  }
  const counted = range.lists.length === 0 ? 0 : await countUpTo(registry, range, MOST_COUNTED + 1);
  return { total: Math.min(counted, MOST_COUNTED), total_exact: counted <= MOST_COUNTED };
}

/** Those of these clinicians whom the registry has, in their order. */
export function cliniciansOf(registry: Registry, npis: readonly number[]): Promise<ClinicianRow[]> {
  return selectClinicians(registry, npis);
}

function labelOf({ specialty }: Filters): string {
  return specialty?.label ?? EVERYBODY;
}
