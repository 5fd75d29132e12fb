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
  positionsIn,
  type SearchRange,
  searchRangeOf,
  specialtyIn,
  totalOf,
} from '../registry/search.ts';
import { fold } from '../registry/vocabulary/names.ts';
import { isNpi } from '../registry/vocabulary/npi.ts';
import type { Specialty } from '../registry/vocabulary/specialties.ts';
import { stateOf } from '../registry/vocabulary/states.ts';
import type { TaxonomyEntry } from '../registry/vocabulary/taxonomy.ts';
import { cachedPage, publicClinician, renderAll } from './response-cache.ts';
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
  const filters = Object.values(asked);
  const pages = cursors.of(CLINICIANS, filters);
  const { limit, after } = pageRequest(query, pages);
  const question = JSON.stringify([filters, after, limit, query.include_total]);
  const make = async (open: Registry): Promise<string> => {
    const specialty = asked.specialty === null ? null : knownSpecialty(open, asked.specialty);
    const searched = searchRangeOf(open, { ...asked, specialty });
    const { data, last } = await pageIn(open, searched, positionOf(after), limit);
    const rest = JSON.stringify({
      has_more: last !== null,
      next_cursor: last === null ? null : pages.write([last.nameKey, last.firstKey, last.npi]),
      ...(query.include_total === 'true' ? await totalOf(open, searched) : {}),
    });
    return `{"data":[${data.join(',')}],${rest.slice(1)}`;
  };
  return registry.read((open) => cachedPage(open, question, () => make(open)));
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
  if (Object.keys(issues).length > 0) throw staffingError('VALIDATION_FAILED', { issues });
  const specialty = query.specialty?.trim().toLowerCase().replace(/\s+/g, ' ') ?? null;
  return { state, specialty, surname, exact: query.match === 'exact' };
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

function positionOf(position: readonly [string, string, number] | undefined): PagePosition | undefined {
  if (position === undefined) return undefined;
  const [nameKey, firstKey, npi] = position;
  return { nameKey, firstKey, npi };
}

/**
 * Returns the clinicians of a page as JSON, and the position after which the next page begins; null for the last page. Rows that are
 * invalid, or that an update has just removed, are skipped, and the page is filled with the following rows.
 */
async function pageIn(
  open: Registry,
  searched: SearchRange,
  after: PagePosition | undefined,
  limit: number,
): Promise<{ data: string[]; last: PagePosition | null }> {
  const data: string[] = [];
  let last = after;
  for (let skipped = 0; skipped <= MAX_SKIPPED; ) {
    const wanted = limit - data.length;
    const found = await positionsIn(open, searched, last, wanted + 1);
    const given = found.slice(0, wanted);
    const texts = await renderAll(open, given);
    data.push(...texts);
    skipped += given.length - texts.length;
    last = given.at(-1) ?? last;
    if (found.length <= wanted) return { data, last: null };
    if (data.length === limit) break;
  }
  return { data, last: last ?? null };
}
