/** The number of stored small units in one unit that people read. */
export const MWH_PER_KWH = 1e6;
export const ML_PER_L = 1e3;
export const MG_PER_KG = 1e6;
export const G_PER_KG = 1e3;
export const MW_PER_W = 1e3;
export const MC_PER_C = 1e3;

/** Returns a value with the 4 decimals that metrics have. */
export function rounded(value: number): number {
  return Math.round(value * 1e4) / 1e4;
}

/** Returns a quotient with 4 decimals; null if the divisor is 0. */
export function ratio(numerator: number, denominator: number): number | null {
  return denominator === 0 ? null : rounded(numerator / denominator);
}

/** Returns a stored value in a larger unit; null for null, since 0 would say that it was measured. */
export function scaled(value: number | null, divisor: number): number | null {
  return value === null ? null : rounded(value / divisor);
}
