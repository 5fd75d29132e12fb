/** A time may be this far in the future, in milliseconds, because correct clocks differ. */
export const AHEAD_MS = 60_000;

const RFC_3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/;
const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const MINUTE = 60_000;
export const DAY_MS = 86_400_000;

/**
 * Parses a date-time of RFC 3339 section 5.6. Strict: upper-case T and Z, seconds 00 to 59 (no leap second),
 * an optional fraction of one to nine digits, an offset up to ±23:59, and a day that exists in the calendar.
 *
 * @returns whole milliseconds since 1970-01-01T00:00:00Z, rounded down; null for anything else
 */
export function parseTimestamp(text: string): number | null {
  if (!RFC_3339.test(text)) return null;
  const year = digits(text, 0, 4);
  const month = digits(text, 5, 7);
  const day = digits(text, 8, 10);
  const hour = digits(text, 11, 13);
  const minute = digits(text, 14, 16);
  const second = digits(text, 17, 19);
  if (day < 1 || day > daysIn(year, month) || hour > 23 || minute > 59 || second > 59) return null;
  const offset = offsetMinutes(text);
  if (offset === null) return null;
  const minutes = hour * 60 + minute - offset;
  return daysSince1970(year, month, day) * DAY_MS + minutes * MINUTE + second * 1000 + milliseconds(text);
}

function digits(text: string, from: number, to: number): number {
  let number = 0;
  for (let index = from; index < to; index++) number = number * 10 + text.charCodeAt(index) - 0x30;
  return number;
}

function daysIn(year: number, month: number): number {
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  return month === 2 && leap ? 29 : (DAYS[month - 1] ?? 0);
}

function milliseconds(text: string): number {
  if (text[19] !== '.') return 0;
  let value = 0;
  let weight = 100;
  for (let index = 20; index < 23 && isDigit(text, index); index++) {
    value += digits(text, index, index + 1) * weight;
    weight /= 10;
  }
  return value;
}

function isDigit(text: string, index: number): boolean {
  const code = text.charCodeAt(index);
  return code >= 0x30 && code <= 0x39;
}

function offsetMinutes(text: string): number | null {
  if (text.endsWith('Z')) return 0;
  const start = text.length - 6;
  const hours = digits(text, start + 1, start + 3);
  const minutes = digits(text, start + 4, start + 6);
  if (hours > 23 || minutes > 59) return null;
  return (hours * 60 + minutes) * (text[start] === '-' ? -1 : 1);
}

/**
 * Returns the days since 1970-01-01 in the proleptic Gregorian calendar; Date.UTC would take the years 0 to
 * 99 as 1900 to 1999.
 */
function daysSince1970(year: number, month: number, day: number): number {
  // Years that begin on 1 March end with the leap day, which simplifies the day of the year.
  const marchYear = month > 2 ? year : year - 1;
  const dayOfYear = Math.floor((153 * ((month + 9) % 12) + 2) / 5) + day - 1;
  const leapDays = Math.floor(marchYear / 4) - Math.floor(marchYear / 100) + Math.floor(marchYear / 400);
  return marchYear * 365 + leapDays + dayOfYear - 719_468;
}
