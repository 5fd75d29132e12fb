/** How some of an agent's work ended. */
export interface Outcomes {
  successes: number;
  failures: number;
}

/** How an agent's work ended in the 30 days up to some day, and in the 30 days that ended 7 days before it. */
export interface Windows {
  current: Outcomes;
  previous: Outcomes;
}

export type Reputation = 'normal' | 'degraded';

const DAY_MS = 24 * 60 * 60 * 1000;
/** Rates are over so many UTC days, the present one among them. */
export const WINDOW_DAYS = 30;
/** A trajectory compares with the window that ended so many days ago. */
const TRAJECTORY_DAYS = 7;
/** Fewer events than these degrade nobody. */
const MIN_SAMPLE_SIZE = 10;
/** The quantile of the standard normal distribution for 95%, both sides. */
const Z = 1.959964;
const MILESTONES = [100, 500, 1000] as const;

export type Milestone = (typeof MILESTONES)[number];

/** Days since 1970-01-01 in UTC, of a time in milliseconds since then. */
export function dayOf(ms: number): number {
  return Math.floor(ms / DAY_MS);
}

/** The days that both windows of `today` begin and end with. */
export function windowBounds(today: number) {
  const previousTo = today - TRAJECTORY_DAYS;
  return {
    from: today - WINDOW_DAYS + 1,
    to: today,
    formerFrom: previousTo - WINDOW_DAYS + 1,
    formerTo: previousTo,
  };
}

/** Both windows from the columns in which a query has their sums. */
export function windowsOf(sums: Outcomes & { formerSuccesses: number; formerFailures: number }): Windows {
  const { successes, failures, formerSuccesses, formerFailures } = sums;
  return {
    current: { successes, failures },
    previous: { successes: formerSuccesses, failures: formerFailures },
  };
}

/** What both windows come to. Rates are 0 to 1 with four decimals, null without events; the score is 0 to 100. */
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

/** 0 to 1 with four decimals; null without events. */
export function failureRate(outcomes: Outcomes): number | null {
  const size = sampleSize(outcomes);
  return size === 0 ? null : tenThousandths(outcomes.failures, size) / 10_000;
}

/** What the failure rate leaves of 1, so that both always add up; null without events. */
export function successRate(outcomes: Outcomes): number | null {
  const size = sampleSize(outcomes);
  return size === 0 ? null : (10_000 - tenThousandths(outcomes.failures, size)) / 10_000;
}

/** By how much the success rate of one window is above that of one before, −1 to 1; null when either has no events. */
export function trajectory(now: Outcomes, before: Outcomes): number | null {
  const sizes = [sampleSize(now), sampleSize(before)];
  if (sizes.includes(0)) return null;
  const fewer =
    tenThousandths(before.failures, sampleSize(before)) - tenThousandths(now.failures, sampleSize(now));
  return fewer / 10_000;
}

/** 0 to 100: what the success rate is at least, with 95% confidence, in percent; 0 without events. */
export function score({ successes, failures }: Outcomes): number {
  return Math.round(100 * wilsonLowerBound(successes, successes + failures));
}

/** The lower bound of Wilson's score interval at 95% for `successes` out of `size` (Wilson 1927); 0 without any. */
export function wilsonLowerBound(successes: number, size: number): number {
  if (successes === 0) return 0;
  const rate = successes / size;
  const center = rate + Z ** 2 / (2 * size);
  const margin = Z * Math.sqrt((rate * (1 - rate)) / size + Z ** 2 / (4 * size ** 2));
  return Math.max(0, (center - margin) / (1 + Z ** 2 / size));
}

/**
 * Above 25% failures of at least 10 events a reputation is degraded, below 10% it is restored; in between it stays as it
 * was. No events count as no failures.
 */
export function reputationAfter(before: Reputation, { successes, failures }: Outcomes): Reputation {
  const size = successes + failures;
  // Compared as integers: a quarter and a tenth themselves are on neither side.
  if (before === 'normal') return size >= MIN_SAMPLE_SIZE && failures * 4 > size ? 'degraded' : 'normal';
  return size === 0 || failures * 10 < size ? 'normal' : 'degraded';
}

/** The milestones that `count` has reached since the one that was reached last (0: none). */
export function milestonesSince(last: number, count: number): Milestone[] {
  return MILESTONES.filter((milestone) => milestone > last && milestone <= count);
}

function tenThousandths(part: number, whole: number): number {
  return Math.round((part * 10_000) / whole);
}
