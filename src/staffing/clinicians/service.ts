import { Type } from '@sinclair/typebox';
import { type Cursors, positionNumber } from '../../platform/http/pagination/cursor.ts';
import { commonErrors } from '../http/errors.ts';
import { pageRequest } from '../http/paging.ts';
import type { RegistryHandle } from '../registry/handle.ts';
import type { Registry } from '../registry/open.ts';
import { isNpi } from '../registry/vocabulary/npi.ts';
import type { TaxonomyEntry } from '../registry/vocabulary/taxonomy.ts';
import { cliniciansErrors } from './errors.ts';
import { boundValues, normalizedFiltersOf } from './filters.ts';
import { completed, type PageRequest, type RenderedPage, renderPage } from './page.ts';
import { cachedPage, keepPage } from './page-cache.ts';
import { publicClinician } from './public-rows.ts';
import type { Clinician, ClinicianList, Search } from './schema.ts';
import type { SearchThreads } from './search-threads.ts';

/** The context of the search functions. */
export interface Clinicians {
  registry: RegistryHandle;
  cursors: Cursors;
  /** Threads that render pages; none by default. */
  searchThreads?: SearchThreads;
}

/** The cursor of a search: matched surname and first name, both folded, and NPI. */
const CLINICIANS = {
  name: 'clinicians',
  position: Type.Tuple([Type.String(), Type.String(), positionNumber]),
};

/** Returns a page of matching clinicians; see `searchText`. */
export async function search(clinicians: Clinicians, query: Search): Promise<ClinicianList> {
  return JSON.parse(await searchText(clinicians, query));
}

/**
 * Returns a page of matching clinicians as JSON text, in order of last name, first name and NPI. With a surname filter, the order
 * uses the name that matched. Everything in it is of one state of the registry.
 *
 * @throws ApiError VALIDATION_FAILED, INVALID_NPI, UNKNOWN_SPECIALTY, INVALID_CURSOR, REGISTRY_UNAVAILABLE
 */
export async function searchText(
  { registry, cursors, searchThreads }: Clinicians,
  query: Search,
): Promise<string> {
  const filters = normalizedFiltersOf(query);
  const bound = boundValues(filters);
  const pages = cursors.of(CLINICIANS, bound);
  const { limit, after } = pageRequest(query, pages);
  const [nameKey = '', firstKey = '', npi = 0] = after ?? [];
  const withTotal = query.include_total === 'true';
  const request: PageRequest = {
    filters,
    after: after === undefined ? null : { nameKey, firstKey, npi },
    limit,
    withTotal,
  };
  const question = JSON.stringify([bound, after, limit, withTotal]);
  const complete = (page: RenderedPage): string => {
    const { next } = page;
    return completed(page, next === null ? null : pages.write([next.nameKey, next.firstKey, next.npi]));
  };
  const threads = searchThreads?.isWanted === true ? searchThreads : null;
  return registry.read((open) => {
    const known = open.atOnce(() => {
      const cached = cachedPage(open, question);
      return cached !== undefined || threads !== null ? cached : rendered(open);
    });
    return known ?? inThread(open);
  });

  function rendered(open: Registry): string {
    const text = complete(renderPage(open, request));
    keepPage(open, question, text, open.engine.state);
    return text;
  }

  async function inThread(open: Registry): Promise<string> {
    const page = await threads?.page(request);
    if (!page) return open.atOnce(() => rendered(open));
    const text = complete(page);
    if (page.path === open.path) keepPage(open, question, text, page.state);
    return text;
  }
}

/** Returns the cursor of a position in a search, as a page that ends there has it. */
export function cursorAt(
  { cursors }: Pick<Clinicians, 'cursors'>,
  query: Search,
  position: readonly [nameKey: string, firstKey: string, npi: number],
): string {
  const [nameKey, firstKey, npi] = position;
  return cursors.of(CLINICIANS, boundValues(normalizedFiltersOf(query))).write([nameKey, firstKey, npi]);
}

/** Returns one clinician. @throws ApiError INVALID_NPI, NOT_FOUND, REGISTRY_UNAVAILABLE */
export async function byNpi({ registry }: Pick<Clinicians, 'registry'>, npi: string): Promise<Clinician> {
  if (!isNpi(npi)) throw cliniciansErrors.INVALID_NPI();
  const found = await registry.read((open) => open.atOnce(() => publicClinician(open, Number(npi))));
  if (found === null)
    throw commonErrors.NOT_FOUND({
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
