/**
 * Dollars as people write them: `25`, `25.5`, `25.50`, `1,250.00`, with or without `$`. At most nine digits
 * before the point.
 */
const DOLLARS = /^\$?\s?(\d{1,9}|\d{1,3}(?:,\d{3}){1,2})(?:\.(\d{1,2}))?$/;

/**
 * Returns an amount of dollars in cents, exactly; null for text that is none, such as `1.234,50` or `1e3`.
 */
export function centsOf(text: string): number | null {
  const [, whole, fraction = ''] = DOLLARS.exec(text.trim()) ?? [];
  if (whole === undefined) return null;
  return Number(whole.replaceAll(',', '')) * 100 + Number(fraction.padEnd(2, '0'));
}

/** Returns cents as dollars, such as `$1,234.50`. */
export function dollars(cents: number): string {
  const whole = Math.trunc(Math.abs(cents) / 100).toLocaleString('en-US');
  const fraction = String(Math.abs(cents) % 100).padStart(2, '0');
  return `${cents < 0 ? '−' : ''}$${whole}.${fraction}`;
}

/**
 * Returns cents as a form takes them, without a sign or commas, such as `1234.50`.
 * @param cents at least 0
 */
export function plainDollars(cents: number): string {
  return `${Math.trunc(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;
}
