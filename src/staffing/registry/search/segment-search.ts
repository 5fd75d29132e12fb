import { PART_ENTRIES } from '../../../../db/staffing/registry/schema.ts';
import { type Container, countCommon, eachCommon, lowerBound } from './containers.ts';
import type { ListIn } from './lists-store.ts';

/** Entries whose clinician has a smaller name, and the merged ordinals of the greatest smaller names; see `LIST.later`. */
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
  /** The lists that an entry must be in. */
  required: readonly ListIn[];
  /** The lists that an entry must not be in. */
  excluded: readonly ListIn[];
  /** Entries that do not count if their greatest smaller name has at least the merged ordinal `since`; null when all count. */
  later: { entries: LaterEntries; since: number } | null;
}

/** Returns the first `limit` matching ordinals of a segment, ascending. */
export function firstMatches(question: SegmentQuestion, limit: number): number[] {
  const { later } = question;
  const found: number[] = [];
  if (limit === 0) return found;
  eachPart(question, (required, excluded, base, from, to) =>
    eachCommon(required, excluded, from, to, (entry) => {
      if (later !== null && isRepeated(later, base + entry)) return true;
      found.push(base + entry);
      return found.length < limit;
    }),
  );
  return found;
}

/** Counts the matching entries of a segment. */
export function countMatches(question: SegmentQuestion): number {
  const { later, from, to, required, excluded } = question;
  const only = required.length === 1 ? required[0] : undefined;
  if (excluded.length === 0 && later === null) {
    if (required.length === 0) return Math.max(0, to - from);
    if (only !== undefined && question.isWhole) return only.length;
  }
  let count = 0;
  eachPart(question, (lists, without, base, first, end) => {
    const dropped = later === null ? NOTHING : repeatedIn(later, base + first, base + end, base);
    if (lists.length > 0) count += countCommon(lists, without, first, end, dropped);
    else count += countCommon([ALL], without, first, end, dropped);
    return true;
  });
  return count;
}

const NOTHING = new Uint32Array(0);
const ALL = new Uint32Array(PART_ENTRIES / 32).fill(0xffff_ffff);

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
): Uint32Array {
  const start = lowerBound(ordinals, from);
  const end = lowerBound(ordinals, to);
  const repeated = new Uint32Array(end - start);
  let count = 0;
  for (let index = start; index < end; index++) {
    if ((previous[index] ?? 0) >= since) repeated[count++] = (ordinals[index] ?? 0) - base;
  }
  return repeated.subarray(0, count);
}
