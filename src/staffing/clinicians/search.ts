import { Type } from '@sinclair/typebox';
import { positionNumber } from '../../platform/http/pagination/cursor.ts';
import { pageRequest } from '../http/paging.ts';
import type { Registry } from '../registry/open.ts';
import { boundValues, normalizedFiltersOf } from './filters.ts';
import { completed, type PageRequest, type RenderedPage, renderPage } from './page.ts';
import { cachedPage, keepPage } from './page-cache.ts';
import type { ClinicianList, Search } from './schema.ts';
import type { Clinicians } from './services.ts';

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
 * Returns a page of matching clinicians as JSON text, in order of last name, first name and NPI. With a
 * surname filter, the order uses the name that matched. Everything in it is of one state of the registry.
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
      return cached !== null || threads !== null ? cached : rendered(open);
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
