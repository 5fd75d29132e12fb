import sql from './schema.sql' with { type: 'text' };

/**
 * Identifies a registry file: application_id 'CsRg', the format as user_version, and the tables. Files are
 * not migrated to a new format; they are rebuilt from the published data.
 */
export const registrySchema = { applicationId: 0x43735267, format: 3, sql };

/**
 * The kind of a clinician's name: the whole surname; a later part of it or a former name; its first part, for
 * exact searches.
 */
export const KIND = { whole: 0, other: 1, firstPart: 2 } as const;

/** The segments that a file is built with: an entry for each clinician, and their other names. */
export const BASE = { whole: 0, other: 1 } as const;

const SEGMENT = 2 ** 32;
/** The parts of a list: part 0, and one for each 65,536 of at most 33 million entries. */
const PARTS = 2 ** 9;
/** The lists of a file: with 3.39 million clinicians, some hundred thousand. */
const LISTS = SEGMENT / PARTS;

/**
 * Returns the place of an entry, or of a clinician, in its table. `number`: the ordinal, or the NPI without
 * 10^9.
 */
export function placeOf(segment: number, number: number): number {
  return segment * SEGMENT + number;
}

/** Returns the segment and the ordinal of an entry's place. */
export function segmentAndOrdinal(place: number): { segment: number; ordinal: number } {
  const segment = Math.floor(place / SEGMENT);
  return { segment, ordinal: place - segment * SEGMENT };
}

/** The smallest NPI; a clinician's place has the NPI less this. */
export const LOWEST_NPI = 1_000_000_000;

/**
 * Returns the place of a part of a list.
 * @throws RangeError for a number that would be the place of another list
 */
export function postingPlace(segment: number, list: number, part: number): number {
  if (list >= LISTS || part >= PARTS)
    throw new RangeError(`a registry file has no place for part ${part} of list ${list}`);
  return segment * SEGMENT + list * PARTS + part;
}

/** The ordinals of a part begin at a multiple of this. */
export const PART_ENTRIES = 2 ** 16;
/** A list of at most this many entries has them in its part 0. */
export const SMALL_LIST = 2048;
/** A part of at most this many entries has them as 16 bits each, any other as a bitmap. */
export const SPARSE_PART = 4095;

/** The number of entries from one fence to the next. */
export const FENCE = 32;

/** First names have a list for each beginning of up to this many characters. */
export const FIRST_NAME_BEGINNING = 8;

/**
 * The labels of lists. `specialty` takes a code, or the label of a named specialty of several codes. City and
 * first name are folded. `later`: entries (but those of kind firstPart) whose clinician has a smaller name of
 * the kinds whole or other; its posting is only part 0: the number of entries, then their ordinals in order,
 * then for each the merged ordinal of the greatest smaller name, all in 32 bits. The merged ordinal of a name
 * is the number of entries of its pair of segments that come before it. `firstPart`: the entries of that
 * kind, in odd segments. `dead`: the entries that were removed or replaced since the segment was written; the
 * only list that changes.
 */
export const LIST = {
  specialty: (label: string): string => `specialty ${label}`,
  state: (state: string): string => `state ${state}`,
  city: (cityKey: string): string => `city ${cityKey}`,
  postalCode: (fiveOrThree: string): string => `postal ${fiveOrThree}`,
  firstName: (beginning: string): string => `first ${beginning}`,
  later: 'later',
  firstPart: 'first part',
  dead: 'dead',
} as const;

/** The kinds of `change`. */
export const CHANGE = { added: 0, updated: 1, removed: 2 } as const;

/** What changed a registry; see `revision`. */
export const REVISIONS = ['full', 'weekly', 'deactivations', 'suppression', 'rollback'] as const;
export type Revision = (typeof REVISIONS)[number];
