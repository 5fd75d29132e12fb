/**
 * Times as text: RFC 3339 in UTC with milliseconds and `Z`, the only format in which the program writes them.
 * It reads no clock, so what judges offline uses it, too.
 */

/** Returns a time in milliseconds since 1970 as text. @throws RangeError if it is no time */
export function timestampOf(ms: number): string {
  return new Date(ms).toISOString();
}

/** Does the same for a time that may be absent. */
export function timestampOrNull(ms: number | null): string | null {
  return ms === null ? null : timestampOf(ms);
}
