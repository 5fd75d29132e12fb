/** A stream of numbers from 0 (inclusive) to 1 (exclusive) that depends only on the seed (mulberry32). */
export type Random = () => number;

export function randomFrom(seed: number): Random {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export function pickFrom<T>(random: Random, things: readonly [T, ...T[]]): T {
  return things[Math.floor(random() * things.length)] ?? things[0];
}

/** Returns a function that chooses an item by weight, in logarithmic time. */
export function chooser<T>(
  weighted: readonly (readonly [thing: T, weight: number])[],
): (random: Random) => T {
  const sums: number[] = [];
  let sum = 0;
  for (const [, weight] of weighted) {
    sum += weight;
    sums.push(sum);
  }
  return (random) => {
    const wanted = random() * sum;
    let low = 0;
    let high = sums.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((sums[middle] ?? 0) > wanted) high = middle;
      else low = middle + 1;
    }
    const [chosen] = weighted[low] ?? [];
    if (chosen === undefined) throw new RangeError('nothing to choose from');
    return chosen;
  };
}
