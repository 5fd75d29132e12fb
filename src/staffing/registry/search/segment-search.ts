import { PART_ENTRIES } from '../../../../db/staffing/registry/schema.ts';
import { type Container, contains, countCommon, eachCommon, lowerBound } from './containers.ts';
import type { ListIn } from './lists-store.ts';

/**
 * Entries whose clinician has a smaller name, and the merged ordinals of the greatest smaller names; see
 * `LIST.later`.
 */
export interface LaterEntries {
  ordinals: Uint32Array;
  previous: Uint32Array;
}

/** What a search asks of one segment. */
export interface SegmentQuestion {
  /** The ordinals from here (inclusive) to there (exclusive). */
  from: number;
  to: number;
  /** Whether these are all ordinals of the segment. */
  isWhole: boolean;
  /** The lists that an entry must be in, the shortest first. */
  required: readonly ListIn[];
  /** The lists that an entry must not be in. */
  excluded: readonly ListIn[];
  /**
   * Entries that do not count if their greatest smaller name has at least the merged ordinal `since`; null
   * when all count.
   */
  later: { entries: LaterEntries; since: number } | null;
}

/** Returns the first `limit` matching ordinals of a segment, ascending. */
export function firstMatches(question: SegmentQuestion, limit: number): number[] {
  const { later } = question;
  const ordinals: number[] = [];
  if (limit === 0) return ordinals;
  eachMatch(question, (ordinal) => {
    if (later !== null && isRepeated(later, ordinal)) return true;
    ordinals.push(ordinal);
    return ordinals.length < limit;
  });
  return ordinals;
}

/** Counts the matching entries of a segment. */
export function countMatches(question: SegmentQuestion): number {
  const { later, from, to, required, excluded } = question;
  const [shortest, ...otherLists] = required;
  if (excluded.length === 0 && later === null) {
    if (shortest === undefined) return Math.max(0, to - from);
    if (otherLists.length === 0 && question.isWhole) return shortest.length;
  }
  const lastPart = Math.ceil(to / PART_ENTRIES) - 1;
  for (const list of required) list.readAhead(Math.floor(from / PART_ENTRIES), lastPart);
  let count = 0;
  if (shortest !== undefined && shortest.ordinals !== null) {
    eachMatch(question, (ordinal) => {
      if (later === null || !isRepeated(later, ordinal)) count++;
      return true;
    });
    return count;
  }
  eachPart(question, (lists, without, base, first, end) => {
    const repeated = later === null ? NOTHING : repeatedIn(later, base + first, base + end, base);
    count += countCommon(lists, repeated.length === 0 ? without : [...without, repeated], first, end);
    return true;
  });
  return count;
}

const NOTHING = new Uint16Array(0);

/**
 * Visits the ordinals that are in all required lists and in no excluded one, ascending, until `visit` returns
 * false.
 */
function eachMatch(question: SegmentQuestion, visit: (ordinal: number) => boolean): void {
  const { from, to, required, excluded } = question;
  const [shortest, ...others] = required;
  if (shortest === undefined || shortest.ordinals === null) {
    eachPart(question, (lists, without, base, first, end) =>
      eachCommon(lists, without, first, end, (entry) => visit(base + entry)),
    );
    return;
  }
  // A short list has less than two entries in most parts.
  const { ordinals } = shortest;
  for (let index = lowerBound(ordinals, from); index < ordinals.length; index++) {
    const ordinal = ordinals[index] ?? 0;
    if (ordinal >= to) return;
    if (isInAll(others, ordinal) && !isInAny(excluded, ordinal) && !visit(ordinal)) return;
  }
}

function isInAll(lists: readonly ListIn[], ordinal: number): boolean {
  for (const list of lists) if (!isIn(list, ordinal)) return false;
  return true;
}

function isInAny(lists: readonly ListIn[], ordinal: number): boolean {
  for (const list of lists) if (isIn(list, ordinal)) return true;
  return false;
}

function isIn(list: ListIn, ordinal: number): boolean {
  const { ordinals } = list;
  if (ordinals !== null) return ordinals[lowerBound(ordinals, ordinal)] === ordinal;
  const part = Math.floor(ordinal / PART_ENTRIES);
  return list.countIn(part) > 0 && contains(list.container(part), ordinal % PART_ENTRIES);
}

type VisitPart = (
  required: readonly Container[],
  excluded: readonly Container[],
  base: number,
  from: number,
  to: number,
) => boolean;

/** Visits the parts of a segment that can have matches, until `visit` returns false. */
function eachPart({ from, to, required, excluded }: SegmentQuestion, visit: VisitPart): void {
  for (let part = Math.floor(from / PART_ENTRIES); part * PART_ENTRIES < to; part++) {
    if (!required.every((list) => list.countIn(part) > 0)) continue;
    const base = part * PART_ENTRIES;
    const containers = required.map((list) => list.container(part));
    const without = excluded.filter((list) => list.countIn(part) > 0).map((list) => list.container(part));
    const first = Math.max(from - base, 0);
    const end = Math.min(to - base, PART_ENTRIES);
    if (!visit(containers, without, base, first, end)) return;
  }
}

function isRepeated(
  { entries: { ordinals, previous }, since }: NonNullable<SegmentQuestion['later']>,
  ordinal: number,
) {
  const index = lowerBound(ordinals, ordinal);
  return ordinals[index] === ordinal && (previous[index] ?? 0) >= since;
}

/** Returns the repeated entries in a range of ordinals, less `base`. */
function repeatedIn(
  { entries: { ordinals, previous }, since }: NonNullable<SegmentQuestion['later']>,
  from: number,
  to: number,
  base: number,
): Uint16Array {
  const start = lowerBound(ordinals, from);
  const end = lowerBound(ordinals, to, start);
  const repeated = new Uint16Array(end - start);
  let count = 0;
  for (let index = start; index < end; index++) {
    if ((previous[index] ?? 0) >= since) repeated[count++] = (ordinals[index] ?? 0) - base;
  }
  return repeated.subarray(0, count);
}
