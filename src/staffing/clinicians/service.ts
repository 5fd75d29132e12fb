import { Type } from '@sinclair/typebox';
import type { Issues } from '../../platform/http/errors/errors.ts';
import { type Cursors, positionNumber } from '../../platform/http/pagination/cursor.ts';
import { staffingError } from '../http/dialect.ts';
import { pageRequest } from '../http/paging.ts';
import type { RegistryHandle } from '../registry/handle.ts';
import type { Registry } from '../registry/open.ts';
import {
  type Filters,
  type PagePosition,
  pageOf,
  type Question,
  questionOf,
  specialtyIn,
  totalOf,
} from '../registry/search.ts';
import { fold } from '../registry/vocabulary/names.ts';
import { isNpi } from '../registry/vocabulary/npi.ts';
import type { Specialty } from '../registry/vocabulary/specialties.ts';
import { stateOf } from '../registry/vocabulary/states.ts';
import type { TaxonomyEntry } from '../registry/vocabulary/taxonomy.ts';
import { cachedPage, publicClinician, publicTexts } from './response-cache.ts';
import type { Clinician, ClinicianList, Search } from './schema.ts';

/** The context of the search functions. */
export interface Clinicians {
  registry: RegistryHandle;
  cursors: Cursors;
}

/** The cursor of a search: matched surname and first name, both folded, and NPI. */
const CLINICIANS = {
  name: 'clinicians',
  position: Type.Tuple([Type.String(), Type.String(), positionNumber]),
};

/** The number of NPIs in a search. */
const MAX_NPIS = 100;

/** A page ends early after this many invalid rows, to limit the cost of a request on a damaged file. */
const MAX_SKIPPED = 200;

/** Returns a page of matching clinicians; see `searchText`. */
export async function search(clinicians: Clinicians, query: Search): Promise<ClinicianList> {
  return JSON.parse(await searchText(clinicians, query));
}

/**
 * Returns a page of matching clinicians as JSON text, in order of last name, first name and NPI. With a surname filter, the order
 * uses the name that matched. The text of each clinician is cached.
 *
 * @throws ApiError VALIDATION_FAILED, UNKNOWN_SPECIALTY, INVALID_CURSOR, REGISTRY_UNAVAILABLE
 */
export async function searchText({ registry, cursors }: Clinicians, query: Search): Promise<string> {
  const asked = normalizedFiltersOf(query);
  const filters = cursorFilters(asked);
  const pages = cursors.of(CLINICIANS, filters);
  const { limit, after } = pageRequest(query, pages);
  const key = JSON.stringify([filters, after, limit, query.include_total]);
  const make = (open: Registry): string => {
    const specialty = asked.specialty === null ? null : knownSpecialty(open, asked.specialty);
    const question = questionOf({ ...asked, specialty });
    const { data, last } = pageIn(open, question, positionOf(after), limit);
    const rest = JSON.stringify({
      has_more: last !== null,
      next_cursor: last === null ? null : pages.write([last.nameKey, last.firstKey, last.npi]),
      ...(query.include_total === 'true' ? totals(open, question) : {}),
    });
    const understood = specialty === null ? '' : `"understood_as":${specialty.understoodAs},`;
    return `{"data":[${data.join(',')}],${understood}${rest.slice(1)}`;
  };
  return registry.read((open) => cachedPage(open, key, () => make(open)));
}

/** Returns the cursor of a position in a search, as a page that ends there has it. */
export function cursorAt(
  { cursors }: Pick<Clinicians, 'cursors'>,
  query: Search,
  position: readonly [nameKey: string, firstKey: string, npi: number],
): string {
  const [nameKey, firstKey, npi] = position;
  return cursors.of(CLINICIANS, cursorFilters(normalizedFiltersOf(query))).write([nameKey, firstKey, npi]);
}

/** Returns the filters to which a cursor is bound. */
function cursorFilters(filters: NormalizedFilters) {
  return Object.values({ ...filters, npis: filters.npis?.join(',') ?? null });
}

function totals(open: Registry, question: Question) {
  const total = totalOf(open, question);
  return total === null ? {} : { total, total_exact: true };
}

/** Returns one clinician. @throws ApiError INVALID_NPI, NOT_FOUND, REGISTRY_UNAVAILABLE */
export async function byNpi({ registry }: Pick<Clinicians, 'registry'>, npi: string): Promise<Clinician> {
  if (!isNpi(npi)) throw staffingError('INVALID_NPI');
  const found = await registry.read((open) => publicClinician(open, Number(npi)));
  if (found === null)
    throw staffingError('NOT_FOUND', {
      message: 'The registry has no clinician with this NPI. Check the number for typing errors.',
    });
  return found;
}

/** Returns the specialties that match a query. @throws ApiError REGISTRY_UNAVAILABLE */
export async function specialties({ registry }: Pick<Clinicians, 'registry'>, query: string | undefined) {
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
 * Returns the code of a named specialty: its only code, or the code of the classification. Null when the specialty is unknown or
 * ambiguous. @throws ApiError REGISTRY_UNAVAILABLE
 */
export function specialtyCode(
  { registry }: Pick<Clinicians, 'registry'>,
  text: string,
): Promise<string | null> {
  return registry.read(({ specialties: named }) => {
    const codes = named.resolve(text)?.codes ?? [];
    const general = codes.filter((code) => named.entryOf(code)?.specialization === null);
    const [only = null] = codes.length === 1 ? codes : general.length === 1 ? general : [];
    return only;
  });
}

/** The normalized filters of a search, to which its cursors are bound; null for no filter. */
type NormalizedFilters = Omit<Filters, 'specialty'> & { specialty: string | null };

function normalizedFiltersOf(query: Search): NormalizedFilters {
  const state = query.state === undefined ? null : stateOf(query.state);
  const surname = query.surname === undefined ? null : fold(query.surname);
  const issues: Issues = {};
  if (query.state !== undefined && state === null) issues.state = ['must be the two letters of a US state'];
  if (surname === '') issues.surname = ['must have a letter or digit'];
  if (query.match !== undefined && surname === null) issues.match = ['needs a surname'];
  if (query.city !== undefined && fold(query.city) === '') issues.city = ['must have a letter or digit'];
  if (query.first_name !== undefined && fold(query.first_name) === '') {
    issues.first_name = ['must have a letter or digit'];
  }
  if (Object.keys(issues).length > 0) throw staffingError('VALIDATION_FAILED', { issues });
  const specialty = query.specialty?.trim().toLowerCase().replace(/\s+/g, ' ') ?? null;
  const city = query.city === undefined ? null : fold(query.city);
  const firstName = query.first_name === undefined ? null : fold(query.first_name);
  const postalCode = query.postal_code ?? null;
  const npis = query.npi === undefined ? null : npisOf(query.npi);
  return { state, specialty, surname, exact: query.match === 'exact', city, postalCode, firstName, npis };
}

/** Parses NPIs separated by commas. @throws ApiError INVALID_NPI, VALIDATION_FAILED for too many */
function npisOf(text: string): number[] {
  const npis = text.split(',').map((npi) => npi.trim());
  if (npis.length > MAX_NPIS) {
    throw staffingError('VALIDATION_FAILED', { issues: { npi: [`must have at most ${MAX_NPIS} numbers`] } });
  }
  const invalid = npis.find((npi) => !isNpi(npi));
  if (invalid !== undefined)
    throw staffingError('INVALID_NPI', { issues: { npi: [`${invalid} is not an NPI`] } });
  return npis.map(Number);
}

/** Returns the specialty with a name. @throws ApiError UNKNOWN_SPECIALTY */
function knownSpecialty(open: Registry, text: string): Specialty {
  const known = specialtyIn(open, text);
  if (known !== null) return known;
  const suggestions = open.specialties.nearest(text);
  throw staffingError('UNKNOWN_SPECIALTY', {
    issues: { specialty: ['is not a code or name of a specialty'] },
    ...(suggestions.length === 0 ? {} : { members: { suggestions } }),
  });
}

function positionOf(position: readonly [string, string, number] | undefined): PagePosition | null {
  if (position === undefined) return null;
  const [nameKey, firstKey, npi] = position;
  return { nameKey, firstKey, npi };
}

/**
 * Returns the clinicians of a page as JSON, and the position after which the next page begins; null for the last page. Invalid rows are
 * skipped, and the page is filled with the following rows.
 */
function pageIn(
  open: Registry,
  question: Question,
  after: PagePosition | null,
  limit: number,
): { data: string[]; last: PagePosition | null } {
  const data: string[] = [];
  let position = after;
  for (let skipped = 0; skipped <= MAX_SKIPPED; ) {
    const wanted = limit - data.length;
    const { rows, last, hasMore } = pageOf(open, question, position, wanted);
    const texts = publicTexts(open, rows);
    data.push(...texts);
    skipped += rows.length - texts.length;
    position = last;
    if (!hasMore) return { data, last: null };
    if (texts.length === rows.length) break;
  }
  return { data, last: position };
}
