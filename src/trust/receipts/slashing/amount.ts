/**
 * Returns what a percentage of a stake is, in whole cents, rounded up: while stake is left, every failure
 * costs some of it, however small the stake is. Never more than the stake, since `percent` is at most 100.
 * Computed with BigInt: the product of the stake and the percentage can exceed 2^53 − 1.
 * @param stakeCents 0 to 2^53 − 1
 * @param percent 0 to 100
 */
export function slashedCents(stakeCents: number, percent: number): number {
  return Number((BigInt(stakeCents) * BigInt(percent) + 99n) / 100n);
}
