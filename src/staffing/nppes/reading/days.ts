import { parseTimestamp } from '../../../proof/encoding/timestamp.ts';

const PUBLISHED = /^(\d\d)\/(\d\d)\/(\d{4})$/;

/** Returns a day of NPPES, MM/DD/YYYY, as YYYY-MM-DD; null for any other text and for a day that does not exist. */
export function dayOf(text: string): string | null {
  const parts = PUBLISHED.exec(text);
  if (parts === null) return null;
  const [, month = '', day = '', year = ''] = parts;
  return existing(`${year}-${month}-${day}`);
}

/** Returns `day`, YYYY-MM-DD, if the calendar has it; otherwise null. */
export function existing(day: string): string | null {
  return parseTimestamp(`${day}T00:00:00Z`) === null ? null : day;
}
