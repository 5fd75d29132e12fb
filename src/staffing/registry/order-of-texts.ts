/**
 * From this UTF-16 unit on, the order of units differs from the order of code points: surrogates come before
 * U+E000.
 */
const SURROGATES = 0xd800;

/**
 * Compares by code points, as SQLite compares UTF-8. JavaScript's `<` compares UTF-16, which differs where
 * there are surrogates.
 */
export function compareTexts(left: string, right: string): number {
  const length = Math.min(left.length, right.length);
  for (let index = 0; index < length; index++) {
    const leftUnit = left.charCodeAt(index);
    const rightUnit = right.charCodeAt(index);
    if (leftUnit === rightUnit) continue;
    if (leftUnit < SURROGATES || rightUnit < SURROGATES) return leftUnit - rightUnit;
    return Buffer.compare(Buffer.from(left), Buffer.from(right));
  }
  return left.length - right.length;
}
