/** Returns all orders of some items. */
export function permutations<T>(items: readonly T[]): T[][] {
  if (items.length === 0) return [[]];
  return items.flatMap((first, at) =>
    permutations(items.filter((_, index) => index !== at)).map((rest) => [first, ...rest]),
  );
}
