import { Type } from '@sinclair/typebox';
import { ANYWHERE, EVERYBODY } from '../../../db/staffing/registry/tables.ts';
import { type Cursors, positionNumber } from '../../platform/http/cursor.ts';
import type { Issues } from '../../platform/http/errors.ts';
import { staffingError } from '../dialect.ts';
import { pageRequest } from '../list.ts';
import type { RegistryHolder } from '../registry/holder.ts';
import { type Registry, type RegistryStanding, standingOf } from '../registry/open.ts';
import { fold } from '../registry/vocabulary/names.ts';
import { isNpi } from '../registry/vocabulary/npi.ts';
import type { Specialty } from '../registry/vocabulary/specialties.ts';
import { stateOf } from '../registry/vocabulary/states.ts';
import { isCodeShaped, type TaxonomyEntry } from '../registry/vocabulary/taxonomy.ts';
import { keptPage, publicClinician, render } from './rendered.ts';
import type { Clinician, ClinicianList, Search } from './schema.ts';
import { clinicianSql, countUpTo, type Place, type Range, selectPage } from './store.ts';

/** What searching takes. */
export interface Clinicians {
  registry: RegistryHolder;
  cursors: Cursors;
}

/** The list of clinicians: by the folded surname that was matched, folded first name, NPI. */
const CLINICIANS = {
  name: 'clinicians',
  position: Type.Tuple([Type.String(), Type.String(), positionNumber]),
};

/** A page of a damaged file ends early behind so many rows that cannot be given, so that one request costs little. */
const MOST_LEFT_OUT = 200;

/** How far a total is counted where none is kept. */
const MOST_COUNTED = 10_000;

/** A page of the clinicians who match; see `searchText`. */
export async function search(clinicians: Clinicians, query: Search): Promise<ClinicianList> {
  return JSON.parse(await searchText(clinicians, query));
}

/**
 * A page of the clinicians who match, in order of last name, first name and NPI; with a surname, of the name that matched.
 * As JSON text, of which each clinician's is kept.
 *
 * @throws ApiError VALIDATION_FAILED, UNKNOWN_SPECIALTY, INVALID_CURSOR, REGISTRY_UNAVAILABLE
 */
export async function searchText({ registry, cursors }: Clinicians, query: Search): Promise<string> {
  const filters = filtersOf(query);
  const asked = Object.values(filters);
  const pages = cursors.of(CLINICIANS, asked);
  const { rows, after } = pageRequest(query, pages);
  const question = JSON.stringify([asked, after, rows, query.include_total]);
  const make = (open: Registry): string => {
    const specialty = filters.specialty === null ? EVERYONE : specialtyIn(open, filters.specialty);
    const range = rangeOf(open, filters, specialty);
    const { data, last } = pageIn(open, range, placeOf(after), rows);
    const rest = JSON.stringify({
      has_more: last !== null,
      next_cursor: last === null ? null : pages.write([last.nameKey, last.firstKey, last.npi]),
      ...(query.include_total === 'true' ? totalOf(open, filters, specialty, range) : {}),
    });
    return `{"data":[${data.join(',')}],${rest.slice(1)}`;
  };
  return registry.read((open) => keptPage(open, question, () => make(open)));
}

/** One clinician. @throws ApiError INVALID_NPI, NOT_FOUND, REGISTRY_UNAVAILABLE */
export async function byNpi({ registry }: Clinicians, npi: string): Promise<Clinician> {
  if (!isNpi(npi)) throw staffingError('INVALID_NPI');
  const found = await registry.read((open) => {
    return publicClinician(open, Number(npi));
  });
  if (found === null) throw staffingError('NOT_FOUND', { message: 'The registry has no such clinician.' });
  return found;
}

/** The specialties that a query names or describes. @throws ApiError REGISTRY_UNAVAILABLE */
export async function specialties({ registry }: Clinicians, query: string | undefined) {
  const found = await registry.read((open) => open.specialties.find(query));
  return {
    data: found.map(({ code, name, classification, grouping }: TaxonomyEntry) => ({
      code,
      name,
      classification,
      grouping,
    })),
  };
}

/**
 * The code that a specialty is, however it was named: its only one, or the one of the classification as such; null where it is
 * unknown, or several. @throws ApiError REGISTRY_UNAVAILABLE
 */
export function specialtyCode({ registry }: Clinicians, text: string): Promise<string | null> {
  return registry.read(({ specialties: named }) => {
    const codes = named.resolve(text)?.codes ?? [];
    const general = codes.filter((code) => named.entryOf(code)?.specialization === null);
    const [only = null] = codes.length === 1 ? codes : general.length === 1 ? general : [];
    return only;
  });
}

/** What the registry is. @throws ApiError REGISTRY_UNAVAILABLE */
export function registryStanding({ registry }: Clinicians): Promise<RegistryStanding> {
  return registry.read(standingOf);
}

/** What a search is filtered by, in the one spelling that its cursors are bound to; null where it is not. */
interface Filters {
  state: string | null;
  specialty: string | null;
  surname: string | null;
  exact: boolean;
}

function filtersOf(query: Search): Filters {
  const state = query.state === undefined ? null : stateOf(query.state);
  const surname = query.surname === undefined ? null : fold(query.surname);
  const issues: Issues = {};
  if (query.state !== undefined && state === null) issues.state = ['must be the two letters of a US state'];
  if (surname === '') issues.surname = ['must have a letter or digit'];
  if (query.match !== undefined && surname === null) issues.match = ['needs a surname'];
  if (Object.keys(issues).length > 0) throw staffingError('VALIDATION_FAILED', { issues });
  const specialty = query.specialty?.trim().toLowerCase().replace(/\s+/g, ' ') ?? null;
  return { state, specialty, surname, exact: query.match === 'exact' };
}

const EVERYONE: Specialty = { label: EVERYBODY, codes: [] };

function specialtyIn({ specialties: named, lists }: Registry, text: string): Specialty {
  const known = named.resolve(text);
  if (known !== null) return known;
  // Clinicians keep a code that the taxonomy does not have, and can be found by it.
  const code = text.toUpperCase();
  if (isCodeShaped(code) && lists.has(code)) return { label: code, codes: [code] };
  const suggestions = named.nearest(text);
  throw staffingError('UNKNOWN_SPECIALTY', {
    issues: { specialty: ['is no code or name of a specialty'] },
    ...(suggestions.length === 0 ? {} : { members: { suggestions } }),
  });
}

/** Keys have letters and digits alone: all that begin with one lie before it and this, all others behind. */
const HIGHEST = '\u{10ffff}';
/** Between a key and all longer ones that begin with it. */
const LOWEST = ' ';

function rangeOf({ lists }: Registry, filters: Filters, specialty: Specialty): Range {
  const own = lists.get(specialty.label);
  const merged = own?.listed === true ? [own] : specialty.codes.flatMap((code) => lists.get(code) ?? []);
  const { surname, exact } = filters;
  return {
    lists: merged.map(({ list }) => list),
    state: filters.state ?? undefined,
    names: surname === null ? 'whole' : exact ? 'exact' : 'prefix',
    from: surname ?? '',
    before: surname === null ? HIGHEST : surname + (exact ? LOWEST : HIGHEST),
  };
}

function totalOf(open: Registry, { state, surname }: Filters, { label }: Specialty, range: Range) {
  const kept = open.lists.get(label);
  if (surname === null && kept !== undefined) {
    const row = clinicianSql(open).count.get({ list: kept.list, state: state ?? ANYWHERE });
    return { total: row?.clinicians ?? 0, total_exact: true };
  }
  const counted = range.lists.length === 0 ? 0 : countUpTo(open, range, MOST_COUNTED + 1);
  return { total: Math.min(counted, MOST_COUNTED), total_exact: counted <= MOST_COUNTED };
}

function placeOf(position: readonly [string, string, number] | undefined): Place | undefined {
  if (position === undefined) return undefined;
  const [nameKey, firstKey, npi] = position;
  return { nameKey, firstKey, npi };
}

/**
 * The clinicians of a page as JSON, and behind whom the next one begins; null where there is none. A row that cannot be given
 * is left out and the page filled up from behind it: it is no public record, or an update has just removed it.
 */
function pageIn(
  open: Registry,
  range: Range,
  after: Place | undefined,
  rows: number,
): { data: string[]; last: Place | null } {
  const data: string[] = [];
  let last = after;
  if (range.lists.length === 0) return { data, last: null };
  for (let leftOut = 0; leftOut <= MOST_LEFT_OUT; ) {
    const wanted = rows - data.length;
    const found = selectPage(open, range, last, wanted + 1);
    for (const place of found.slice(0, wanted)) {
      const text = render(open, place.npi);
      if (text === null) leftOut++;
      else data.push(text);
      last = place;
    }
    if (found.length <= wanted) return { data, last: null };
    if (data.length === rows) break;
  }
  return { data, last: last ?? null };
}
