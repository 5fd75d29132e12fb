import { Value } from '@sinclair/typebox/value';
import { issuesOf } from '../../platform/http/errors/issues.ts';
import { type Search, SearchQuery } from '../clinicians/schema.ts';
import { commonErrors } from '../http/errors.ts';

/** The fields of the search form, as the API names them. */
export const SEARCH_FIELDS = [
  'surname',
  'match',
  'first_name',
  'specialty',
  'state',
  'city',
  'postal_code',
] as const;

export type SearchField = (typeof SEARCH_FIELDS)[number];

/** What somebody entered into the search form, trimmed; empty fields are absent. */
export type Entered = Partial<Readonly<Record<SearchField, string>>>;

/** Where in the results a page is. `page` is only shown; the cursor decides. */
export interface ResultsPlace {
  cursor: string | null;
  page: number;
}

const FIRST: ResultsPlace = { cursor: null, page: 1 };

/** Returns what a URL has for the search form; null for a URL without any of its fields. */
export function enteredIn(parameters: URLSearchParams): Entered | null {
  if (!SEARCH_FIELDS.some((field) => parameters.has(field))) return null;
  return Object.fromEntries(
    SEARCH_FIELDS.flatMap((field) => {
      const text = parameters.get(field)?.trim() ?? '';
      return text === '' ? [] : [[field, text]];
    }),
  );
}

/** Returns the page of results that a URL asks for. */
export function placeIn(parameters: URLSearchParams): ResultsPlace {
  const cursor = parameters.get('cursor');
  const page = Number(parameters.get('page'));
  const isLater = cursor !== null && Number.isSafeInteger(page) && page > 1;
  return { cursor, page: isLater ? page : 1 };
}

/** Returns the path of a search: of its first page, or of another one. */
export function searchPath(entered: Entered, { cursor, page }: ResultsPlace = FIRST): string {
  const place = cursor === null ? {} : { page: String(page), cursor };
  const text = new URLSearchParams({ ...filtersOf(entered), ...place }).toString();
  // Without any filter the results are all clinicians, not the empty form.
  return text === '' ? '/?surname=' : `/?${text}`;
}

/**
 * Returns the query of the API for what was entered. @throws ApiError VALIDATION_FAILED with the names of the
 * fields
 */
export function searchOf(entered: Entered, cursor: string | null): Search {
  const query = {
    ...filtersOf(entered),
    include_total: 'true',
    ...(cursor === null ? {} : { cursor }),
  };
  if (Value.Check(SearchQuery, query)) return query;
  throw commonErrors.VALIDATION_FAILED({ issues: issuesOf(Value.Errors(SearchQuery, query)) });
}

/** Returns the filters: of a ZIP+4 code only the ZIP code, and `match` only with a surname. */
function filtersOf({ match, postal_code, ...entered }: Entered): Entered {
  const zip = /^\d{5}(?=-?\d{4}$)/.exec(postal_code ?? '')?.[0] ?? postal_code;
  return {
    ...entered,
    ...(match === undefined || entered.surname === undefined ? {} : { match }),
    ...(zip === undefined ? {} : { postal_code: zip }),
  };
}
