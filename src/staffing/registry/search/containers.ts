import { PART_ENTRIES } from '../../../../db/staffing/registry/schema.ts';

/**
 * The entries of a list in one part of a segment, relative to the part: as sorted numbers, or as a bitmap of 65,536 bits in 2,048 words. The
 * two forms of Roaring bitmaps (Lemire et al., "Roaring Bitmaps: Implementation of an Optimized Software Library", 2018).
 */
export type Container = Uint16Array | Uint32Array;

const WORDS = PART_ENTRIES / 32;
/** The result of an intersection of bitmaps, used again each time. */
const scratch = new Uint32Array(WORDS);

/** Returns whether a container is a bitmap. */
function isBitmap(container: Container): container is Uint32Array {
  return container instanceof Uint32Array;
}

function hasBit(words: Uint32Array, entry: number): boolean {
  return ((words[entry >>> 5] ?? 0) & (1 << (entry & 31))) !== 0;
}

/** Returns whether a container has an entry. */
export function contains(container: Container, entry: number): boolean {
  if (isBitmap(container)) return hasBit(container, entry);
  return container[lowerBound(container, entry)] === entry;
}

/** Returns the index of the first number that is not less than `wanted`. */
export function lowerBound(sorted: Uint16Array | Uint32Array, wanted: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] ?? 0) < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * Calls `visit` with the entries that are in all of `required` and in none of `excluded`, ascending, from `from` (inclusive) to `to`
 * (exclusive), until it returns false. Without `required`, all entries of the part qualify. @returns false when `visit` ended it
 */
export function eachCommon(
  required: readonly Container[],
  excluded: readonly Container[],
  from: number,
  to: number,
  visit: (entry: number) => boolean,
): boolean {
  const sparse = sparsest(required);
  if (sparse !== undefined) {
    const count = keepCommon(sparse, required, excluded, from, to);
    for (let index = 0; index < count; index++) if (!visit(candidates[index] ?? 0)) return false;
    return true;
  }
  for (let word = from >>> 5; word < WORDS && word * 32 < to; word++) {
    let bits = maskOf(word, from, to);
    for (const container of required) bits &= container[word] ?? 0;
    while (bits !== 0) {
      const lowest = bits & -bits;
      const entry = word * 32 + (31 - Math.clz32(lowest));
      bits ^= lowest;
      if (!isInAny(excluded, entry) && !visit(entry)) return false;
    }
  }
  return true;
}

/** Counts the entries that `eachCommon` visits, without those of `dropped` (ascending). */
export function countCommon(
  required: readonly Container[],
  excluded: readonly Container[],
  from: number,
  to: number,
  dropped: Uint32Array,
): number {
  const sparse = sparsest(required);
  if (sparse !== undefined) {
    const count = keepCommon(sparse, required, excluded, from, to);
    return dropped.length === 0 ? count : filterBySorted(count, dropped, false);
  }
  const first = from >>> 5;
  const end = Math.min(WORDS, (to + 31) >>> 5);
  for (let word = first; word < end; word++) {
    let bits = maskOf(word, from, to);
    for (const container of required) bits &= container[word] ?? 0;
    scratch[word] = bits;
  }
  for (const container of excluded) clear(container, first, end);
  clear(dropped, first, end, false);
  let count = 0;
  for (let word = first; word < end; word++) count += onesIn(scratch[word] ?? 0);
  return count;
}

/** The entries that are left of a sparse container, used again each time. */
const candidates = new Uint16Array(PART_ENTRIES);
/** From this ratio of lengths on, looking up each entry is faster than merging. */
const LOOKED_UP = 16;

/** Puts the entries of `sparse` that qualify into `candidates`. @returns their number */
function keepCommon(
  sparse: Uint16Array,
  required: readonly Container[],
  excluded: readonly Container[],
  from: number,
  to: number,
): number {
  const start = from === 0 ? 0 : lowerBound(sparse, from);
  const end = to >= PART_ENTRIES ? sparse.length : lowerBound(sparse, to);
  candidates.set(sparse.subarray(start, end));
  let count = end - start;
  for (const container of required) if (container !== sparse) count = filterBy(count, container, true);
  for (const container of excluded) count = filterBy(count, container, false);
  return count;
}

/** Keeps the candidates that are in a container, or those that are not. @returns their number */
function filterBy(count: number, container: Container, isKept: boolean): number {
  if (!isBitmap(container)) return filterBySorted(count, container, isKept);
  let kept = 0;
  for (let index = 0; index < count; index++) {
    const entry = candidates[index] ?? 0;
    if (hasBit(container, entry) === isKept) candidates[kept++] = entry;
  }
  return kept;
}

function filterBySorted(count: number, sorted: Uint16Array | Uint32Array, isKept: boolean): number {
  const isLong = sorted.length > count * LOOKED_UP;
  let kept = 0;
  let place = 0;
  for (let index = 0; index < count; index++) {
    const entry = candidates[index] ?? 0;
    if (isLong) place = lowerBound(sorted, entry);
    else while (place < sorted.length && (sorted[place] ?? 0) < entry) place++;
    if ((place < sorted.length && sorted[place] === entry) === isKept) candidates[kept++] = entry;
  }
  return kept;
}

function isInAny(containers: readonly Container[], entry: number): boolean {
  for (const container of containers) if (contains(container, entry)) return true;
  return false;
}

/** Clears the entries of a container in the scratch bitmap. */
function clear(container: Container, first: number, end: number, mayBeBitmap = true): void {
  if (mayBeBitmap && isBitmap(container)) {
    for (let word = first; word < end; word++) scratch[word] = (scratch[word] ?? 0) & ~(container[word] ?? 0);
    return;
  }
  for (let index = lowerBound(container, first * 32); index < container.length; index++) {
    const entry = container[index] ?? 0;
    const word = entry >>> 5;
    if (word >= end) break;
    scratch[word] = (scratch[word] ?? 0) & ~(1 << (entry & 31));
  }
}

/** Returns the shortest container that is not a bitmap. */
function sparsest(containers: readonly Container[]): Uint16Array | undefined {
  let best: Uint16Array | undefined;
  for (const container of containers) {
    if (!isBitmap(container) && (best === undefined || container.length < best.length)) best = container;
  }
  return best;
}

/** Returns the bits of a word that are from `from` (inclusive) to `to` (exclusive). */
function maskOf(word: number, from: number, to: number): number {
  const start = word * 32;
  const low = from > start ? -1 << (from - start) : -1;
  const high = to < start + 32 ? ~(-1 << (to - start)) : -1;
  return low & high;
}

/** Counts the set bits of 32 (Hacker's Delight, 5-1). */
function onesIn(word: number): number {
  let bits = word - ((word >>> 1) & 0x5555_5555);
  bits = (bits & 0x3333_3333) + ((bits >>> 2) & 0x3333_3333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f_0f0f, 0x0101_0101) >>> 24;
}
