import { timestampOf } from '../../platform/time/timestamp.ts';
import { boundOf } from '../http/period.ts';

/** Converts a time bound to the stored form of issued_at. See `boundOf`. */
export function timeBound(bound: string | undefined): string | undefined {
  const time = boundOf(bound);
  if (time === undefined) return undefined;
  const text = timestampOf(time);
  // An offset can move a time past the year 9999, which is written with a sign that sorts before all digits.
  return text.startsWith('+') ? '9999-12-31T23:59:59.999Z' : text;
}
