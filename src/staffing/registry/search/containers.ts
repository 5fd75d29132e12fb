import { PART_ENTRIES } from '../../../../db/staffing/registry/schema.ts';

/**
 * The entries of a list in one part of a segment, relative to the part: as sorted numbers, or as a bitmap of
 * 65,536 bits in 2,048 words. The two forms of Roaring bitmaps (Lemire et al., "Roaring Bitmaps:
 * Implementation of an Optimized Software Library", 2018).
 */
export type Container = Uint16Array | Uint32Array;

const WORDS = PART_ENTRIES / 32;
/** The result of an intersection, used again each time. */
const scratchWords = new Uint32Array(WORDS);
const scratchNumbers = new Uint16Array(PART_ENTRIES);
/** From this factor between their lengths, the longer of two sorted arrays is searched instead of read. */
const SEARCHED = 32;

/**
 * What `common` returns: the entries are those of `words`, or else the first `length` of `numbers`. Valid
 * until the next call.
 */
interface Common {
  words: Uint32Array | null;
  firstWord: number;
  endWord: number;
  numbers: Uint16Array;
  length: number;
}
const found: Common = { words: null, firstWord: 0, endWord: 0, numbers: scratchNumbers, length: 0 };

/** Returns whether a container has an entry. */
export function contains(container: Container, entry: number): boolean {
  if (container instanceof Uint32Array) return ((container[entry >>> 5] ?? 0) & (1 << (entry & 31))) !== 0;
  return container[lowerBound(container, entry)] === entry;
}

/** Returns the index of the first number that is not less than `wanted`. */
export function lowerBound(sorted: Uint16Array | Uint32Array, wanted: number, from = 0): number {
  let low = from;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] ?? 0) < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * Calls `visit` with the entries that are in all of `required` and in none of `excluded`, ascending, from
 * `from` (inclusive) to `to` (exclusive), until it returns false. Without `required`, all entries of the part
 * qualify. @returns false when `visit` ended it
 */
export function eachCommon(
  required: readonly Container[],
  excluded: readonly Container[],
  from: number,
  to: number,
  visit: (entry: number) => boolean,
): boolean {
  const { words, firstWord, endWord, numbers, length } = common(required, excluded, from, to);
  if (words === null) {
    for (let index = 0; index < length; index++) if (!visit(numbers[index] ?? 0)) return false;
    return true;
  }
  for (let word = firstWord; word < endWord; word++) {
    let bits = words[word] ?? 0;
    while (bits !== 0) {
      const lowest = bits & -bits;
      bits ^= lowest;
      if (!visit(word * 32 + (31 - Math.clz32(lowest)))) return false;
    }
  }
  return true;
}

/** Counts the entries that `eachCommon` visits. */
export function countCommon(
  required: readonly Container[],
  excluded: readonly Container[],
  from: number,
  to: number,
): number {
  const [left, right] = required;
  const isWhole = from === 0 && to === PART_ENTRIES && excluded.length === 0 && required.length === 2;
  // Most of the time of counting is spent here.
  if (isWhole && left instanceof Uint32Array && right instanceof Uint32Array) return countBoth(left, right);
  const { words, firstWord, endWord, length } = common(required, excluded, from, to);
  if (words === null) return length;
  let count = 0;
  for (let word = firstWord; word < endWord; word++) count += onesIn(words[word] ?? 0);
  return count;
}

function countBoth(left: Uint32Array, right: Uint32Array): number {
  let count = 0;
  for (let word = 0; word < WORDS; word++) count += onesIn((left[word] ?? 0) & (right[word] ?? 0));
  return count;
}

function common(
  required: readonly Container[],
  excluded: readonly Container[],
  from: number,
  to: number,
): Common {
  const shortest = shortestNumbers(required);
  if (shortest === null) commonWords(required, excluded, from, to);
  else commonNumbers(shortest, required, excluded, from, to);
  return found;
}

function commonWords(
  required: readonly Container[],
  excluded: readonly Container[],
  from: number,
  to: number,
): void {
  const first = from >>> 5;
  const end = Math.min(WORDS, (to + 31) >>> 5);
  found.words = scratchWords;
  found.firstWord = first;
  found.endWord = end;
  const [left, ...others] = required;
  if (left === undefined) scratchWords.fill(0xffff_ffff, first, end);
  else scratchWords.set(left.subarray(first, end), first);
  for (const container of others) {
    for (let word = first; word < end; word++) {
      scratchWords[word] = (scratchWords[word] ?? 0) & (container[word] ?? 0);
    }
  }
  if (end > first) {
    scratchWords[first] = (scratchWords[first] ?? 0) & maskOf(first, from, to);
    scratchWords[end - 1] = (scratchWords[end - 1] ?? 0) & maskOf(end - 1, from, to);
  }
  for (const container of excluded) clear(container, first, end);
}

/** Clears the entries of a container in the scratch bitmap. */
function clear(container: Container, first: number, end: number): void {
  if (container instanceof Uint32Array) {
    for (let word = first; word < end; word++) {
      scratchWords[word] = (scratchWords[word] ?? 0) & ~(container[word] ?? 0);
    }
    return;
  }
  for (let index = lowerBound(container, first * 32); index < container.length; index++) {
    const entry = container[index] ?? 0;
    const word = entry >>> 5;
    if (word >= end) break;
    scratchWords[word] = (scratchWords[word] ?? 0) & ~(1 << (entry & 31));
  }
}

function commonNumbers(
  shortest: Uint16Array,
  required: readonly Container[],
  excluded: readonly Container[],
  from: number,
  to: number,
): void {
  const start = from === 0 ? 0 : lowerBound(shortest, from);
  const end = to === PART_ENTRIES ? shortest.length : lowerBound(shortest, to);
  let numbers = shortest.subarray(start, end);
  for (const container of required) {
    if (container !== shortest) numbers = filtered(numbers, container, true);
  }
  for (const container of excluded) numbers = filtered(numbers, container, false);
  found.words = null;
  found.numbers = numbers;
  found.length = numbers.length;
}

/** Returns the numbers that are in a container, or that are not. The result can be written over the input. */
function filtered(numbers: Uint16Array, container: Container, isIn: boolean): Uint16Array {
  let length = 0;
  if (container instanceof Uint32Array) {
    for (let index = 0; index < numbers.length; index++) {
      const entry = numbers[index] ?? 0;
      if ((((container[entry >>> 5] ?? 0) >>> (entry & 31)) & 1) === (isIn ? 1 : 0))
        scratchNumbers[length++] = entry;
    }
  } else if (container.length > numbers.length * SEARCHED) {
    let at = 0;
    for (let index = 0; index < numbers.length; index++) {
      const entry = numbers[index] ?? 0;
      at = lowerBound(container, entry, at);
      if ((container[at] === entry) === isIn) scratchNumbers[length++] = entry;
    }
  } else {
    let at = 0;
    for (let index = 0; index < numbers.length; index++) {
      const entry = numbers[index] ?? 0;
      while (at < container.length && (container[at] ?? 0) < entry) at++;
      if ((container[at] === entry) === isIn) scratchNumbers[length++] = entry;
    }
  }
  return scratchNumbers.subarray(0, length);
}

/** Returns the shortest container that is not a bitmap; null when all are bitmaps. */
function shortestNumbers(containers: readonly Container[]): Uint16Array | null {
  let shortest: Uint16Array | null = null;
  for (const container of containers) {
    if (container instanceof Uint16Array && (shortest === null || container.length < shortest.length)) {
      shortest = container;
    }
  }
  return shortest;
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
