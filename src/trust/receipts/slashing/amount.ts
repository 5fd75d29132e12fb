/**
 * Returns what a percentage of a stake is, in whole cents, rounded down. Computed with BigInt: the product of
 * the stake and the percentage can exceed 2^53 − 1.
 * @param stakeCents 0 to 2^53 − 1
 * @param percent 0 to 100
 */
export function slashedCents(stakeCents: number, percent: number): number {
  return Number((BigInt(stakeCents) * BigInt(percent)) / 100n);
}
