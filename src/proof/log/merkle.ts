import { decodeBase64, encodeBase64 } from '../encoding/base64.ts';
import { equalBytes } from '../encoding/equal-bytes.ts';
import type { Primitives } from '../primitives.ts';

/**
 * The Merkle tree of RFC 6962 section 2.1 over SHA-256. Sizes and indexes are integers up to 2^53 − 1. They
 * are halved by division, because JavaScript's bit operators truncate to 32 bits.
 */
export const HASH_BYTES = 32;

/**
 * Returns the hash of the perfect subtree of 2^`level` leaves that starts at leaf `index` · 2^`level`: 32
 * bytes.
 */
export type NodeReader = (level: number, index: number) => Uint8Array;

/** Returns the root of the empty tree: SHA-256 of the empty string. */
export function emptyRoot(primitives: Primitives): Uint8Array {
  return primitives.sha256(new Uint8Array());
}

/** Returns SHA-256(0x00 || `entry`). The prefix prevents a leaf from being mistaken for a node. */
export function leafHash(primitives: Primitives, entry: Uint8Array): Uint8Array {
  const prefixed = new Uint8Array(1 + entry.length);
  prefixed.set(entry, 1);
  return primitives.sha256(prefixed);
}

/** Reused for speed. It is filled and hashed synchronously, so no other code can change it in between. */
const joined = new Uint8Array(1 + 2 * HASH_BYTES);
joined[0] = 0x01;

/** Returns SHA-256(0x01 || `left` || `right`). @throws RangeError unless both are 32 bytes */
export function nodeHash(primitives: Primitives, left: Uint8Array, right: Uint8Array): Uint8Array {
  if (left.length !== HASH_BYTES || right.length !== HASH_BYTES) throw new RangeError('a hash has 32 bytes');
  joined.set(left, 1);
  joined.set(right, 1 + HASH_BYTES);
  return primitives.sha256(joined);
}

/**
 * Returns the root of the tree of the first `size` leaves. It reads one node for each set bit of `size`.
 * @throws RangeError unless 0 ≤ size ≤ 2^53 − 1
 */
export function treeRoot(primitives: Primitives, size: number, read: NodeReader): Uint8Array {
  if (!isSize(size)) throw new RangeError(`${size} is no tree size`);
  return rangeRoot(primitives, 0, size, read);
}

/**
 * Returns the root over `size` leaves from leaf `start` on. `start` must be a multiple of a power of two that
 * is at least `size`.
 */
function rangeRoot(primitives: Primitives, start: number, size: number, read: NodeReader): Uint8Array {
  let root: Uint8Array | null = null;
  let first = start;
  let count = size;
  for (let level = 0; count > 0; level++) {
    if (count % 2 === 1) {
      const peak = read(level, first + count - 1);
      root = root === null ? peak : nodeHash(primitives, peak, root);
    }
    first /= 2;
    count = half(count);
  }
  return root ?? emptyRoot(primitives);
}

/**
 * Returns the audit path of leaf `index` in the tree of `size` leaves (RFC 6962 section 2.1.1), the leaf's
 * sibling first. It reads at most two nodes per level. @throws RangeError unless 0 ≤ index < size ≤ 2^53 − 1
 */
export function inclusionPath(
  primitives: Primitives,
  index: number,
  size: number,
  read: NodeReader,
): Uint8Array[] {
  if (!isSize(index) || !isSize(size) || index >= size) {
    throw new RangeError(`a tree of size ${size} has no leaf ${index}`);
  }
  return pathAbove(primitives, { level: 0, index, size }, read);
}

/**
 * Returns the consistency proof between the trees of `from` and `to` leaves (RFC 6962 section 2.1.2), the
 * deepest hash first. It is empty when the sizes are equal or `from` is 0.
 * @throws RangeError unless 0 ≤ from ≤ to ≤ 2^53 − 1
 */
export function consistencyPath(
  primitives: Primitives,
  from: number,
  to: number,
  read: NodeReader,
): Uint8Array[] {
  if (!isSize(from) || !isSize(to) || from > to) {
    throw new RangeError(`a tree of size ${to} does not begin with one of size ${from}`);
  }
  if (from === 0 || from === to) return [];
  // The smallest perfect subtree at the right edge of the old tree is in both trees; the proof is the audit
  // path from there up.
  let level = 0;
  let count = from;
  for (; count % 2 === 0; count /= 2) level++;
  const path = pathAbove(primitives, { level, index: count - 1, size: to }, read);
  // If that subtree is the whole old tree, the verifier already has its hash: the old root.
  return count === 1 ? path : [read(level, count - 1), ...path];
}

/**
 * Returns the siblings on the path from the perfect subtree `index` of `level` to the root of the tree of
 * `size` leaves.
 */
function pathAbove(
  primitives: Primitives,
  from: { level: number; index: number; size: number },
  read: NodeReader,
): Uint8Array[] {
  const { size } = from;
  const path: Uint8Array[] = [];
  let width = 2 ** from.level;
  let { level, index } = from;
  let last = Math.floor((size - 1) / width);
  for (; last > 0; level++) {
    if (index % 2 === 1) path.push(read(level, index - 1));
    else if (index < last) {
      const start = (index + 1) * width;
      const leaves = size - start;
      // Only the last subtree of a level can be imperfect; its hash is not stored, so it is computed.
      const sibling = leaves >= width ? read(level, index + 1) : rangeRoot(primitives, start, leaves, read);
      path.push(sibling);
    }
    index = half(index);
    last = half(last);
    width *= 2;
  }
  return path;
}

/**
 * Verifies that the tree of `size` leaves with this `root` has the leaf hash `leaf` at `index` (RFC 9162
 * section 2.1.3.2; the result is the same as by RFC 6962).
 *
 * @returns false for any invalid proof, even for a path of the wrong length, hashes that are not 32 bytes,
 * and numbers that are not integers from 0 to 2^53 − 1; never throws
 */
export function verifyInclusion(
  primitives: Primitives,
  proof: {
    leaf: Uint8Array;
    index: number;
    size: number;
    path: readonly Uint8Array[];
    root: Uint8Array;
  },
): boolean {
  const root = rootOf(primitives, proof);
  return root !== null && equalBytes(root, proof.root);
}

/**
 * Returns the root that follows from a leaf and its audit path; null for a path that a tree of this size does
 * not have.
 */
export function rootOf(
  primitives: Primitives,
  { leaf, index, size, path }: { leaf: Uint8Array; index: number; size: number; path: readonly Uint8Array[] },
): Uint8Array | null {
  if (!isSize(index) || !isSize(size) || index >= size) return null;
  if (!isHash(leaf) || !path.every(isHash)) return null;
  let hash = leaf;
  const complete = climb(index, size - 1, path, (sibling, isLeft) => {
    hash = isLeft ? nodeHash(primitives, sibling, hash) : nodeHash(primitives, hash, sibling);
  });
  return complete ? hash : null;
}

/**
 * Verifies that the tree of `to` leaves with root `toRoot` extends the tree of `from` leaves with root
 * `fromRoot` (RFC 9162 section 2.1.4.2). Every tree extends the empty one: `path` is then empty and
 * `fromRoot` the empty root.
 *
 * @returns false for any invalid proof, like `verifyInclusion`; never throws
 */
export function verifyConsistency(
  primitives: Primitives,
  proof: {
    from: number;
    to: number;
    fromRoot: Uint8Array;
    toRoot: Uint8Array;
    path: readonly Uint8Array[];
  },
): boolean {
  const { from, to, fromRoot, toRoot, path } = proof;
  if (!isSize(from) || !isSize(to) || from > to) return false;
  if (!isHash(fromRoot) || !isHash(toRoot) || !path.every(isHash)) return false;
  if (from === to || from === 0) return path.length === 0 && isTrivial(primitives, proof);
  let index = from - 1;
  let last = to - 1;
  for (; index % 2 === 1; index = half(index)) last = half(last);
  const [first = fromRoot, ...rest] = index === 0 ? [fromRoot, ...path] : path;
  let oldHash = first;
  let newHash = first;
  const complete = climb(index, last, rest, (sibling, isLeft) => {
    if (isLeft) oldHash = nodeHash(primitives, sibling, oldHash);
    newHash = isLeft ? nodeHash(primitives, sibling, newHash) : nodeHash(primitives, newHash, sibling);
  });
  return complete && equalBytes(oldHash, fromRoot) && equalBytes(newHash, toRoot);
}

/** Verifies the cases without a path: equal sizes, or an empty old tree. */
function isTrivial(
  primitives: Primitives,
  { from, to, fromRoot, toRoot }: { from: number; to: number; fromRoot: Uint8Array; toRoot: Uint8Array },
): boolean {
  const startsRight = from > 0 || equalBytes(fromRoot, emptyRoot(primitives));
  return startsRight && (from < to || equalBytes(fromRoot, toRoot));
}

/**
 * Calls `join` with each hash of `path` and its side, from node `index` of a level whose last node is `last`
 * up to the root.
 * @returns whether the path ends exactly at the root
 */
function climb(
  index: number,
  last: number,
  path: readonly Uint8Array[],
  join: (sibling: Uint8Array, isLeft: boolean) => void,
): boolean {
  let at = index;
  let end = last;
  for (const sibling of path) {
    // The last node of a level has no sibling if it is a left node; it moves up one level unchanged.
    for (; at === end && at % 2 === 0 && at > 0; at = half(at)) end = half(end);
    if (end === 0) return false;
    join(sibling, at % 2 === 1);
    at = half(at);
    end = half(end);
  }
  return end === 0;
}

/** A saved `Frontier`. */
export interface SavedFrontier {
  size: number;
  /** Base64 of the roots of the perfect subtrees, one for each set bit of `size`, the largest first. */
  hashes: readonly string[];
}

/**
 * A Merkle tree that stores only its right edge, at most 53 hashes. Use it to read a log from start to end
 * and compute the root at every size; it cannot give proofs.
 */
export class Frontier {
  readonly #primitives: Primitives;
  /** The roots of the perfect subtrees, one for each set bit of the size, the largest first. */
  readonly #peaks: Uint8Array[] = [];
  #size = 0;

  constructor(primitives: Primitives) {
    this.#primitives = primitives;
  }

  /** The number of leaves. */
  get size(): number {
    return this.#size;
  }

  /** Appends a copy of a leaf hash. @throws RangeError unless it is 32 bytes, and at 2^53 − 1 leaves */
  append(leaf: Uint8Array): void {
    if (leaf.length !== HASH_BYTES) throw new RangeError('a hash has 32 bytes');
    if (this.#size === Number.MAX_SAFE_INTEGER) throw new RangeError('the tree is full');
    let peak = leaf;
    for (let count = this.#size; count % 2 === 1; count = half(count)) {
      peak = nodeHash(this.#primitives, this.#peaks.pop() ?? peak, peak);
    }
    this.#peaks.push(peak === leaf ? leaf.slice() : peak);
    this.#size++;
  }

  /** Returns the root of the current tree; the empty root when there is no leaf. */
  root(): Uint8Array {
    if (this.#size === 0) return emptyRoot(this.#primitives);
    return this.#peaks.reduceRight((root, peak) => nodeHash(this.#primitives, peak, root));
  }

  /** Returns the state that `Frontier.from` restores. */
  toJSON(): { size: number; hashes: string[] } {
    return { size: this.#size, hashes: this.#peaks.map(encodeBase64) };
  }

  /**
   * Restores a saved frontier. @throws RangeError for invalid hashes, or a number of them that does not match
   * the size
   */
  static from(primitives: Primitives, saved: SavedFrontier): Frontier {
    if (!isSize(saved.size)) throw new RangeError(`${saved.size} is no tree size`);
    const peaks = peaksOf(saved.size);
    if (saved.hashes.length !== peaks) {
      throw new RangeError(
        `a tree of size ${saved.size} has ${peaks} hashes at its right edge, not ${saved.hashes.length}`,
      );
    }
    const frontier = new Frontier(primitives);
    frontier.#size = saved.size;
    for (const text of saved.hashes) {
      const hash = decodeBase64(text);
      if (hash?.length !== HASH_BYTES) throw new RangeError('a hash is base64 of 32 bytes');
      frontier.#peaks.push(hash);
    }
    return frontier;
  }
}

function peaksOf(size: number): number {
  let peaks = 0;
  for (let count = size; count > 0; count = half(count)) peaks += count % 2;
  return peaks;
}

function half(number: number): number {
  return Math.floor(number / 2);
}

function isSize(number: number): boolean {
  return Number.isSafeInteger(number) && number >= 0;
}

function isHash(bytes: Uint8Array): boolean {
  return bytes.length === HASH_BYTES;
}
