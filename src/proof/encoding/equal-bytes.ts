/**
 * Returns whether two byte strings are equal. It need not run in constant time: all data in `proof` is
 * public.
 */
export function equalBytes(one: Uint8Array, other: Uint8Array): boolean {
  if (one.length !== other.length) return false;
  for (let index = 0; index < one.length; index++) if (one[index] !== other[index]) return false;
  return true;
}
