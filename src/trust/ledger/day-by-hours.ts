import { HOUR_MS } from '../../platform/time/units.ts';

const HOURS = 24;

/** Returns the hour of a time, in hours since 1970. @param time milliseconds since 1970 */
export const hourOf = (time: number): number => Math.floor(time / HOUR_MS);

/**
 * Returns the first hour of the 24 hours before a time. What counts by hours counts as a whole, so such a day
 * is up to 25 hours long. An hour that a clock set back has not reached belongs to it, too.
 * @param now milliseconds since 1970
 */
export const firstHourBefore = (now: number): number => hourOf(now) - HOURS;
