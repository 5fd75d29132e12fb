const SURROGATE = /[\ud800-\udfff]/;

/** Compares by code points, as SQLite compares UTF-8. JavaScript's `<` compares UTF-16, which differs where there are surrogates. */
export function compareTexts(left: string, right: string): number {
  if (left === right) return 0;
  if (SURROGATE.test(left) || SURROGATE.test(right))
    return Buffer.compare(Buffer.from(left), Buffer.from(right));
  return left < right ? -1 : 1;
}

/** Returns texts in this order. Without surrogates it is JavaScript's, which sorts three times as fast without a function. */
export function sortedTexts(texts: readonly string[]): string[] {
  return texts.some((text) => SURROGATE.test(text)) ? texts.toSorted(compareTexts) : texts.toSorted();
}
