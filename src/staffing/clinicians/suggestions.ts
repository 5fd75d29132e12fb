import { distance } from 'fastest-levenshtein';
import type { Registry } from '../registry/open.ts';
import { namesNear, questionOf } from '../registry/search.ts';
import type { NormalizedFilters } from './filters.ts';

const SUGGESTIONS = 5;
/** A name with more changed letters is another name. */
const MAX_DISTANCE = 2;
/** In names of up to so many letters, one changed letter is the most. */
const SHORT = 4;
/** A shorter text is like too many names. */
const SHORTEST = 3;

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
 * Returns surnames that are spelled like the one of a search that found nothing, the nearest and then the
 * most frequent first. None when the surname itself exists: then other filters are why nothing was found.
 */
export function suggestionsFor(open: Registry, { surname, exact }: NormalizedFilters): string[] {
  if (surname === null || surname.length < SHORTEST) return [];
  if (open.engine.exists(questionOf({ ...NO_FILTERS, surname, exact }))) return [];
  const most = surname.length > SHORT ? MAX_DISTANCE : 1;
  return namesNear(open, surname)
    .map(({ name, clinicians }) => ({ name, clinicians, far: distance(name, surname) }))
    .filter(({ far }) => far <= most)
    .sort((left, right) => left.far - right.far || right.clinicians - left.clinicians)
    .slice(0, SUGGESTIONS)
    .map(({ name }) => name);
}
