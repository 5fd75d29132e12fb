import { parseTimestamp } from '../../../proof/encoding/timestamp.ts';

const PUBLISHED = /^(\d\d)\/(\d\d)\/(\d{4})$/;

/**
 * Returns a day of NPPES, MM/DD/YYYY, as YYYY-MM-DD; null for any other text and for a day that does not
 * exist.
 */
export function dayOf(text: string): string | null {
  const parts = PUBLISHED.exec(text);
  if (parts === null) return null;
  const [, month = '', day = '', year = ''] = parts;
  return existing(`${year}-${month}-${day}`);
}

/** A file has about 7,000 different days. */
const MOST_CACHED = 20_000;

/** Finds days MM/DD/YYYY in bytes. It caches them, because millions of rows have the same few thousand. */
export class DayCache {
  private readonly days = new Map<number, string | null>();

  /** Returns the day as YYYY-MM-DD; null for bytes that are none, which `dayOf` may read after cleaning. */
  at(bytes: Uint8Array, start: number, end: number): string | null {
    if (end - start !== 10 || bytes[start + 2] !== SLASH || bytes[start + 5] !== SLASH) return null;
    let number = 0;
    for (let at = start; at < end; at++) {
      const digit = (bytes[at] ?? 0) - ZERO;
      if (digit >= 0 && digit <= 9) number = number * 10 + digit;
      else if (at !== start + 2 && at !== start + 5) return null;
    }
    const known = this.days.get(number);
    if (known !== undefined) return known;
    const digits = String(number).padStart(8, '0');
    const day = existing(`${digits.slice(4)}-${digits.slice(0, 2)}-${digits.slice(2, 4)}`);
    if (this.days.size < MOST_CACHED) this.days.set(number, day);
    return day;
  }
}

const SLASH = 0x2f;
const ZERO = 0x30;

/** Returns `day`, YYYY-MM-DD, if the calendar has it; otherwise null. */
export function existing(day: string): string | null {
  return parseTimestamp(`${day}T00:00:00Z`) === null ? null : day;
}
