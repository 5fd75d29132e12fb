import type { Issues } from '../../platform/http/errors/errors.ts';
import { commonErrors } from '../http/errors.ts';
import type { Registry } from '../registry/open.ts';
import { type Filters, type Question, questionOf, specialtyIn } from '../registry/search.ts';
import { fold } from '../registry/vocabulary/names.ts';
import { isNpi } from '../registry/vocabulary/npi.ts';
import type { Specialty } from '../registry/vocabulary/specialty.ts';
import { stateOf } from '../registry/vocabulary/states.ts';
import { cliniciansErrors } from './errors.ts';
import type { Search } from './schema.ts';

/** The number of NPIs in a search. */
const MAX_NPIS = 100;

/** The normalized filters of a search, to which its cursors are bound; null for no filter. */
export type NormalizedFilters = Omit<Filters, 'specialty'> & { specialty: string | null };

/** The query parameters that filter. */
export type FilterQuery = Omit<Search, 'limit' | 'cursor' | 'include_total'>;

/** Returns the filters of a query. @throws ApiError VALIDATION_FAILED, INVALID_NPI */
export function normalizedFiltersOf(query: FilterQuery): NormalizedFilters {
  const state = query.state === undefined ? null : stateOf(query.state);
  const [surname, city, firstName] = [query.surname, query.city, query.first_name].map((text) =>
    text === undefined ? null : fold(text),
  );
  const issues: Issues = {};
  if (query.state !== undefined && state === null) issues.state = ['must be the two letters of a US state'];
  for (const [field, value] of Object.entries({ surname, city, first_name: firstName })) {
    if (value === '') issues[field] = ['must have a letter or digit'];
  }
  if (query.match !== undefined && surname === null) issues.match = ['needs a surname'];
  if (Object.keys(issues).length > 0) throw commonErrors.VALIDATION_FAILED({ issues });
  return {
    state,
    specialty: query.specialty?.trim().toLowerCase().replace(/\s+/g, ' ') ?? null,
    surname: surname ?? null,
    exact: query.match === 'exact',
    city: city ?? null,
    postalCode: query.postal_code ?? null,
    firstName: firstName ?? null,
    npis: query.npi === undefined ? null : npisOf(query.npi),
  };
}

/** Returns the filters as values to which a cursor is bound. */
export function boundValues(filters: NormalizedFilters): (string | boolean | null)[] {
  return Object.values({ ...filters, npis: filters.npis?.join(',') ?? null });
}

/**
 * Parses NPIs separated by commas: ascending, without duplicates. @throws ApiError INVALID_NPI,
 * VALIDATION_FAILED for too many
 */
function npisOf(text: string): number[] {
  const npis = text.split(',').map((npi) => npi.trim());
  if (npis.length > MAX_NPIS) {
    throw commonErrors.VALIDATION_FAILED({ issues: { npi: [`must have at most ${MAX_NPIS} numbers`] } });
  }
  const invalid = npis.find((npi) => !isNpi(npi));
  if (invalid !== undefined) {
    throw cliniciansErrors.INVALID_NPI({
      message: `"${invalid}" is not an NPI: ten digits, the last of which is a check digit. Check the number for typing errors.`,
      issues: { npi: [`"${invalid}" is not an NPI`] },
    });
  }
  return [...new Set(npis.map(Number))].sort((left, right) => left - right);
}

/**
 * Returns what the filters ask of a registry file, and the specialty that they name. @throws ApiError
 * UNKNOWN_SPECIALTY
 */
export function questionIn(
  open: Registry,
  filters: NormalizedFilters,
): { question: Question; specialty: Specialty | null } {
  const specialty = filters.specialty === null ? null : knownSpecialty(open, filters.specialty);
  return { question: questionOf({ ...filters, specialty }), specialty };
}

function knownSpecialty(open: Registry, text: string): Specialty {
  const known = specialtyIn(open, text);
  if (known !== null) return known;
  const suggestions = open.specialties.nearest(text);
  throw cliniciansErrors.UNKNOWN_SPECIALTY({
    issues: { specialty: ['is not a code or name of a specialty'] },
    ...(suggestions.length === 0 ? {} : { members: { suggestions } }),
  });
}
