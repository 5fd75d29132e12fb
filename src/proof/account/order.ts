/**
 * Returns the indexes of the numbers that are out of order: the fewest whose removal leaves the others
 * ascending. The numbers differ. It needs memory only for numbers that are not ascending already.
 */
export function outOfOrder(numbers: ArrayLike<number>): number[] {
  const count = numbers.length;
  const at = (index: number): number => numbers[index] ?? 0;
  let first = 1;
  while (first < count && at(first) > at(first - 1)) first++;
  if (first >= count) return [];
  // The longest ascending subsequence (patience sorting): the last index of the best one of each length, and
  // each index's predecessor.
  const ends = new Uint32Array(count);
  const before = new Uint32Array(count);
  let length = 0;
  for (let index = 0; index < count; index++) {
    let low = 0;
    let high = length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (at(ends[middle] ?? 0) < at(index)) low = middle + 1;
      else high = middle;
    }
    before[index] = low === 0 ? index : (ends[low - 1] ?? 0);
    ends[low] = index;
    if (low === length) length++;
  }
  const isKept = new Uint8Array(count);
  let index = ends[length - 1] ?? 0;
  for (let left = length; left > 0; left--) {
    isKept[index] = 1;
    index = before[index] ?? 0;
  }
  const wrong: number[] = [];
  for (const [place, kept] of isKept.entries()) if (kept === 0) wrong.push(place);
  return wrong;
}
