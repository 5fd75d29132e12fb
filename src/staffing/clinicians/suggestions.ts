import { distance } from 'fastest-levenshtein';
import type { Registry } from '../registry/open.ts';
import { namesNear, pageOf, questionOf } from '../registry/search.ts';
import type { NormalizedFilters } from './filters.ts';

const SUGGESTIONS = 5;
/** A name with more changed letters is another name. */
const MAX_DISTANCE = 2;

const NO_FILTERS = {
  state: null,
  specialty: null,
  surname: null,
  exact: false,
  city: null,
  postalCode: null,
  firstName: null,
  npis: null,
};

/**
 * Returns surnames that are spelled like the one of a search that found nothing, the nearest and then the most frequent first. None when
 * the surname itself exists: then other filters are why nothing was found.
 */
export function suggestionsFor(open: Registry, { surname, exact }: NormalizedFilters): string[] {
  if (surname === null) return [];
  const same = pageOf(open, questionOf({ ...NO_FILTERS, surname, exact }), null, 1);
  if (same.rows.length > 0) return [];
  return namesNear(open, surname)
    .map(({ name, clinicians }) => ({ name, clinicians, far: distance(name, surname) }))
    .filter(({ far }) => far <= MAX_DISTANCE)
    .sort((left, right) => left.far - right.far || right.clinicians - left.clinicians)
    .slice(0, SUGGESTIONS)
    .map(({ name }) => name);
}
