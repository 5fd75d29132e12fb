/** The numbers of an agent's events that were successes and failures. */
export interface Outcomes {
  successes: number;
  failures: number;
}

/** An agent's outcomes in the 30 days up to a day, and in the 30 days that ended 7 days before it. */
export interface Windows {
  current: Outcomes;
  previous: Outcomes;
}

export type Reputation = 'normal' | 'degraded';

const DAY_MS = 24 * 60 * 60 * 1000;
/** Length of a window in UTC days, including the current day. */
export const WINDOW_DAYS = 30;
/** A trajectory compares with the window that ended this many days ago. */
const TRAJECTORY_DAYS = 7;
/** A reputation is not degraded with fewer events than this. */
const MIN_SAMPLE_SIZE = 10;
/** The two-sided 95% quantile of the standard normal distribution. */
const Z = 1.959964;
const MILESTONES = [100, 500, 1000] as const;

export type Milestone = (typeof MILESTONES)[number];

/** Returns the days since 1970-01-01 UTC of a time in milliseconds since 1970. */
export function dayOf(ms: number): number {
  return Math.floor(ms / DAY_MS);
}

/** Returns when a day starts, in milliseconds since 1970. @param day days since 1970-01-01 UTC */
export function startOf(day: number): number {
  return day * DAY_MS;
}

/** Returns the first and last days of both windows of `today`. */
export function windowBounds(today: number) {
  const previousTo = today - TRAJECTORY_DAYS;
  return {
    from: today - WINDOW_DAYS + 1,
    to: today,
    formerFrom: previousTo - WINDOW_DAYS + 1,
    formerTo: previousTo,
  };
}

/** Converts the sums of a query's row to both windows. */
export function windowsOf(sums: Outcomes & { formerSuccesses: number; formerFailures: number }): Windows {
  const { successes, failures, formerSuccesses, formerFailures } = sums;
  return {
    current: { successes, failures },
    previous: { successes: formerSuccesses, failures: formerFailures },
  };
}

/**
 * Returns the rates and score of both windows. Rates are 0 to 1 with four decimals, null without outcomes;
 * the score is 0 to 100.
 */
export function ratesOf({ current, previous }: Windows) {
  return {
    success_rate: successRate(current),
    failure_rate: failureRate(current),
    sample_size: sampleSize(current),
    trajectory_7d: trajectory(current, previous),
    score: score(current),
  };
}

export function sampleSize({ successes, failures }: Outcomes): number {
  return successes + failures;
}

/** Returns the failure rate, 0 to 1 with four decimals; null without outcomes. */
export function failureRate(outcomes: Outcomes): number | null {
  const size = sampleSize(outcomes);
  return size === 0 ? null : tenThousandths(outcomes.failures, size) / 10_000;
}

/** Returns 1 minus the failure rate as it is rounded, so that both add up to 1; null without outcomes. */
export function successRate(outcomes: Outcomes): number | null {
  const size = sampleSize(outcomes);
  return size === 0 ? null : (10_000 - tenThousandths(outcomes.failures, size)) / 10_000;
}

/**
 * Returns the success rate of a window minus the success rate of an earlier one, −1 to 1; null when either
 * has no outcomes.
 */
export function trajectory(now: Outcomes, before: Outcomes): number | null {
  const sizes = [sampleSize(now), sampleSize(before)];
  if (sizes.includes(0)) return null;
  const fewer =
    tenThousandths(before.failures, sampleSize(before)) - tenThousandths(now.failures, sampleSize(now));
  return fewer / 10_000;
}

/**
 * Returns the lower bound of the success rate with 95% confidence, in percent, 0 to 100; 0 without outcomes.
 */
export function score({ successes, failures }: Outcomes): number {
  return Math.round(100 * wilsonLowerBound(successes, successes + failures));
}

/**
 * Returns the lower bound of Wilson's score interval at 95% for `successes` out of `size` (Wilson 1927); 0
 * without successes.
 */
export function wilsonLowerBound(successes: number, size: number): number {
  if (successes === 0) return 0;
  const rate = successes / size;
  const center = rate + Z ** 2 / (2 * size);
  const margin = Z * Math.sqrt((rate * (1 - rate)) / size + Z ** 2 / (4 * size ** 2));
  return Math.max(0, (center - margin) / (1 + Z ** 2 / size));
}

/**
 * Returns the new reputation: degraded above 25% failures of at least 10 outcomes, restored below 10%, else
 * unchanged. No outcomes count as no failures.
 */
export function reputationAfter(before: Reputation, { successes, failures }: Outcomes): Reputation {
  const size = successes + failures;
  // Compared as integers, so that exactly 25% and exactly 10% change nothing.
  if (before === 'normal') return size >= MIN_SAMPLE_SIZE && failures * 4 > size ? 'degraded' : 'normal';
  return size === 0 || failures * 10 < size ? 'normal' : 'degraded';
}

/** Returns the milestones above `last` (0: none reached yet) that `count` has reached. */
export function milestonesSince(last: number, count: number): Milestone[] {
  return MILESTONES.filter((milestone) => milestone > last && milestone <= count);
}

function tenThousandths(part: number, whole: number): number {
  return Math.round((part * 10_000) / whole);
}
