const DECIMAL = /^(?:0|[1-9]\d{0,15})$/;

/**
 * Parses an integer from 0 to 2^53 − 1 in ASCII digits, without sign and leading zeros; returns null for
 * anything else.
 */
export function parseDecimal(text: string): number | null {
  if (!DECIMAL.test(text)) return null;
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : null;
}
