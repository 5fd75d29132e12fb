import { InvalidArgumentError } from 'commander';
import { parseTimestamp } from '../../../proof/encoding/timestamp.ts';

const UNITS: Readonly<Record<string, number>> = { h: 3_600_000, d: 86_400_000 };

/**
 * Parses when something expires: an RFC 3339 time, or hours, days or years from now, such as `30d`.
 * @returns RFC 3339 in UTC
 * @throws InvalidArgumentError
 */
export function expiryOf(text: string): string {
  const [, count = '', unit = ''] = /^([1-9]\d{0,5})([hdy])$/.exec(text) ?? [];
  const at = new Date();
  if (unit === 'y') at.setUTCFullYear(at.getUTCFullYear() + Number(count));
  else if (unit !== '') at.setTime(at.getTime() + Number(count) * (UNITS[unit] ?? 0));
  else if (parseTimestamp(text) === null)
    throw new InvalidArgumentError('It must be an RFC 3339 time, or from now: 12h, 30d or 10y.');
  else return text;
  if (Number.isNaN(at.getTime()) || at.getUTCFullYear() > 9999)
    throw new InvalidArgumentError('It must be before the year 10000.');
  return at.toISOString();
}
