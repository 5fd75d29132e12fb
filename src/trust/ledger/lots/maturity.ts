import { DAY_MS, HOUR_MS } from '../../../platform/time/units.ts';

/**
 * Returns when credits mature: the full hour at or after a number of days, so that the lots of an hour are
 * one; 0, before every clock, for no days.
 * @param now milliseconds since 1970
 */
export function maturityAfter(now: number, days: number): number {
  return days === 0 ? 0 : Math.ceil((now + days * DAY_MS) / HOUR_MS) * HOUR_MS;
}

/** The days for which credits are held after a dispute without a decision, and for the debt of a refund. */
const DISPUTE_DAYS = 30;

/** Returns until when a dispute or a refund holds credits. @param openedAt milliseconds since 1970 */
export function holdEnd(openedAt: number): number {
  return maturityAfter(openedAt, DISPUTE_DAYS);
}

/** Returns the time after which disputes and refunds that still hold credits began. */
export function holdStart(now: number): number {
  return now - DISPUTE_DAYS * DAY_MS - HOUR_MS;
}

/** The maturity of credits that were refunded while they were locked: the last time of ECMAScript. */
export const NEVER = 8.64e15;

/** How long a mature lot keeps its payment and its time outside of the accounts of who paid. */
const REMEMBERED_MS = 30 * DAY_MS;

/** Returns whether a lot matured so long ago that nothing about it matters any more to others. */
export function isLongMature(maturesAt: number, now: number): boolean {
  return maturesAt < now - REMEMBERED_MS;
}

/**
 * Returns the time that a lot without its payment keeps, so that those of 30 days are one. It is not before
 * the lot's own: when the clock was ahead by mistake, the lot is held again once it is right.
 */
export const commonMaturity = (maturesAt: number): number =>
  Math.ceil(maturesAt / REMEMBERED_MS) * REMEMBERED_MS;
