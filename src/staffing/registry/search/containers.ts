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
  const isKept = (entry: number): boolean => {
    for (const container of excluded) if (contains(container, entry)) return false;
    return true;
  };
  const sparse = sparsest(required);
  if (sparse !== undefined) {
    for (let index = lowerBound(sparse, from); index < sparse.length; index++) {
      const entry = sparse[index] ?? 0;
      if (entry >= to) break;
      if (isInAll(required, sparse, entry) && isKept(entry) && !visit(entry)) return false;
    }
    return true;
  }
  for (let word = from >>> 5; word < WORDS && word * 32 < to; word++) {
    let bits = maskOf(word, from, to);
    for (const container of required) bits &= container[word] ?? 0;
    while (bits !== 0) {
      const lowest = bits & -bits;
      const entry = word * 32 + (31 - Math.clz32(lowest));
      bits ^= lowest;
      if (isKept(entry) && !visit(entry)) return false;
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
    let count = 0;
    eachCommon(required, excluded, from, to, (entry) => {
      if (dropped[lowerBound(dropped, entry)] !== entry) count++;
      return true;
    });
    return count;
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

function isInAll(containers: readonly Container[], except: Container, entry: number): boolean {
  for (const container of containers) {
    if (container !== except && !contains(container, entry)) return false;
  }
  return true;
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
