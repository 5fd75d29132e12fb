import { parseTimestamp } from '../../proof/encoding/timestamp.ts';
import type { ClockStart } from './clock.ts';

const UNITS = [86_400_000, 3_600_000, 60_000, 1000];
const DURATION = /^(?=\d)(?:(\d{1,9})d)?(?:(\d{1,9})h)?(?:(\d{1,9})m)?(?:(\d{1,9})s)?$/;

/** The forms of a duration and of a start, for messages. */
export const DURATION_FORM = 'days, hours, minutes and seconds in this order, such as 72h, 30d or 1h30m';
export const CLOCK_FORM = `an RFC 3339 time, such as 2026-01-01T00:00:00Z, or + and ${DURATION_FORM}`;

/** The longest advance, in milliseconds: ten years, as each UTC day can have something due. */
export const LONGEST_ADVANCE_MS = 3653 * 86_400_000;

/** How long a reset and the end of a test service wait for deliveries under way, in milliseconds. */
export const TEST_DELIVERY_GRACE_MS = 100;

const EARLIEST = Date.UTC(2000, 0, 1);
/** The end of the time of a test service, in milliseconds since 1970. */
export const LATEST = Date.UTC(2200, 0, 1);

/** Returns the milliseconds of a duration such as `72h`; null for another form. */
export function parseDuration(text: string): number | null {
  const parts = DURATION.exec(text);
  if (parts === null) return null;
  return UNITS.reduce((sum, unit, index) => sum + unit * Number(parts[index + 1] ?? 0), 0);
}

/** Returns the start of a clock; null for another form, and for a time before 2000 or from 2100 on. */
export function parseClockStart(text: string): ClockStart | null {
  if (text.startsWith('+')) {
    const aheadMs = parseDuration(text.slice(1));
    return aheadMs === null || aheadMs > LONGEST_ADVANCE_MS ? null : { kind: 'runs', aheadMs };
  }
  const at = parseTimestamp(text);
  return at === null || at < EARLIEST || at >= Date.UTC(2100, 0, 1) ? null : { kind: 'stands', at };
}
