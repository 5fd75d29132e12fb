/** A subtree next to the path from a leaf to the root of its tree. */
export interface Sibling {
  /** The side of the path on which it is. */
  side: 'left' | 'right';
  /** The indexes of its first and its last leaf. */
  first: number;
  last: number;
}

/**
 * Returns the subtrees whose hashes make an inclusion proof (RFC 6962 section 2.1.1), the largest first: the
 * reverse of the order of the proof.
 * @param index of the leaf, below `size`
 */
export function siblingsOnPath(index: number, size: number): Sibling[] {
  const siblings: Sibling[] = [];
  let start = 0;
  let end = size;
  while (end - start > 1) {
    const middle = start + largestPowerBelow(end - start);
    if (index < middle) {
      siblings.push({ side: 'right', first: middle, last: end - 1 });
      end = middle;
    } else {
      siblings.push({ side: 'left', first: start, last: middle - 1 });
      start = middle;
    }
  }
  return siblings;
}

/** Returns the largest power of two that is less than a number of at least 2. */
function largestPowerBelow(count: number): number {
  let power = 1;
  while (power * 2 < count) power *= 2;
  return power;
}
