import { parseTimestamp } from '../../proof/encoding/timestamp.ts';

/**
 * Converts a time bound to the stored form of issued_at. Digits below a millisecond round up, so that `from`
 * includes nothing earlier.
 */
export function timeBound(bound: string | undefined): string | undefined {
  const time = bound === undefined ? null : parseTimestamp(bound);
  if (bound === undefined || time === null) return undefined;
  const hasFiner = /\.\d{3}\d*[1-9]/.test(bound);
  const text = new Date(hasFiner ? time + 1 : time).toISOString();
  // An offset can move a time past the year 9999, which is written with a sign that sorts before all digits.
  return text.startsWith('+') ? '9999-12-31T23:59:59.999Z' : text;
}
