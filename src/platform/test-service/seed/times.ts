import { type TSchema, Type } from '@sinclair/typebox';
import { parseTimestamp } from '../../../proof/encoding/timestamp.ts';

const UNITS = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1000 } as const;
const RELATIVE = /^([+-])(?=\d)(?:(\d{1,5})d)?(?:(\d{1,6})h)?(?:(\d{1,7})m)?(?:(\d{1,9})s)?$/;

/**
 * A time in a seed: `now`, which is the start of the test clock; a distance from it, such as `-30d`, `-1d12h`
 * or `+90m`; or an RFC 3339 date-time.
 */
export const SeedTime = Type.String({
  pattern: '^(?:now|[+-][0-9dhms]{2,40}|[0-9]{4}-.*)$',
  'x-seed-time': true,
  'x-message': 'must be now, a distance such as -30d or +90m, or an RFC 3339 date-time',
});

/**
 * Returns a time of a seed in milliseconds since 1970; null for what is none, and for a time before.
 * @param now the same for `now`
 */
export function timeOf(text: string, now: number): number | null {
  const time = anyTimeOf(text, now);
  return time === null || time < 0 ? null : time;
}

function anyTimeOf(text: string, now: number): number | null {
  if (text === 'now') return now;
  const relative = RELATIVE.exec(text);
  if (relative === null) return parseTimestamp(text);
  const [, sign, ...counts] = relative;
  const ms = Object.values(UNITS).reduce((sum, unit, index) => sum + unit * Number(counts[index] ?? 0), 0);
  return sign === '-' ? now - ms : now + ms;
}

/**
 * Returns the earliest time that a seed names, or `now`. The clock of a service that is to be filled begins
 * there.
 * @param now the start of the test clock, in milliseconds since 1970
 */
export function earliestTime(schema: TSchema, content: unknown, now: number): number {
  const times = [...timesIn(schema, content)].flatMap((text) => timeOf(text, now) ?? []);
  return times.reduce((earliest, time) => Math.min(earliest, time), now);
}

/** Yields what stands where a schema has a SeedTime. */
function* timesIn(schema: TSchema, value: unknown): Generator<string> {
  if (schema['x-seed-time'] === true) {
    if (typeof value === 'string') yield value;
  } else if (Array.isArray(value)) {
    for (const item of value) yield* timesIn(Object(schema.items), item);
  } else if (typeof value === 'object' && value !== null) {
    const { properties, patternProperties } = schema;
    const [ofAll] = Object.values(Object(patternProperties));
    for (const [name, member] of Object.entries(value)) {
      yield* timesIn(Object(Object(properties)[name] ?? ofAll), member);
    }
  }
}
