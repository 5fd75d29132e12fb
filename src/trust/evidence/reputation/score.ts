import { DAY_MS } from '../../../platform/time/units.ts';

/** The numbers of an agent's events that were successes and failures. */
export interface Outcomes {
  successes: number;
  failures: number;
}

/** Outcomes by who attests them. What the agent signed is attested by nobody else. */
export interface Basis {
  /** By others: accepted deliveries, evidence that came with the service token, and assessments. */
  corroborated: Outcomes;
  /** By the sponsor: receipts that it issued, and did not revoke unless they were failures. */
  sponsored: Outcomes;
  selfSigned: Outcomes;
}

/** An agent's outcomes in the 30 days up to a day, and in the 30 days that ended 7 days before it. */
export interface Windows {
  current: Outcomes;
  previous: Outcomes;
  /** Of the current window. */
  basis: Basis;
  /** Whether successes that nobody corroborates count in a limited number: its sponsor has no paid plan. */
  limited: boolean;
}

export type Reputation = 'normal' | 'degraded';

/** Length of a window in UTC days, including the current day. */
export const WINDOW_DAYS = 30;
/** A trajectory compares with the window that ended this many days ago. */
const TRAJECTORY_DAYS = 7;
/** A reputation is not degraded with fewer events than this. */
const MIN_SAMPLE_SIZE = 10;
/** The two-sided 95% quantile of the standard normal distribution. */
export const Z = 1.959964;
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

/** The sums of both windows, and of the parts of the current one that others attest. */
export interface Sums extends Outcomes {
  formerSuccesses: number;
  formerFailures: number;
  corroboratedSuccesses: number;
  corroboratedFailures: number;
  sponsoredSuccesses: number;
  sponsoredFailures: number;
  /** These two, and failed receipts that the sponsor revoked, are not among the successes and failures. */
  assessedSuccesses: number;
  assessedFailures: number;
  revokedFailures: number;
}

/** Converts the sums of a query's row to both windows. @param deliveries accepted ones that count */
export function windowsOf(
  sums: Sums,
  { deliveries, limited }: { deliveries: number; limited: boolean },
): Windows {
  const { successes, failures, formerSuccesses, formerFailures } = sums;
  const { corroboratedSuccesses, corroboratedFailures, sponsoredSuccesses, sponsoredFailures } = sums;
  const { assessedSuccesses, assessedFailures, revokedFailures } = sums;
  return {
    current: { successes, failures },
    previous: { successes: formerSuccesses, failures: formerFailures },
    basis: {
      corroborated: {
        successes: corroboratedSuccesses + deliveries + assessedSuccesses,
        failures: corroboratedFailures + assessedFailures,
      },
      sponsored: { successes: sponsoredSuccesses, failures: sponsoredFailures + revokedFailures },
      selfSigned: {
        successes: successes - corroboratedSuccesses - sponsoredSuccesses,
        failures: failures - corroboratedFailures - sponsoredFailures,
      },
    },
    limited,
  };
}

/**
 * Returns the rates and score of both windows. Rates are 0 to 1 with four decimals, null without outcomes;
 * the score is 0 to 100.
 */
export function ratesOf({ current, previous, basis, limited }: Windows) {
  const { corroborated, sponsored, selfSigned } = basis;
  return {
    success_rate: successRate(current),
    failure_rate: failureRate(current),
    sample_size: sampleSize(current),
    trajectory_7d: trajectory(current, previous),
    score: scoreOf(basis, limited),
    score_corroborated: wilsonPercent(corroborated),
    score_basis: {
      corroborated: sampleSize(corroborated),
      sponsored: sampleSize(sponsored),
      self_signed: sampleSize(selfSigned),
    },
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

/** So many sponsored successes of a limited agent count, and more for each corroborated success. */
const LIMITED_SUCCESSES = 10;
const LIMITED_PER_CORROBORATED = 3;

/**
 * Returns the score, 0 to 100: Wilson's lower bound over outcomes weighed by who attests them. Corroborated
 * ones weigh 1, sponsored ones a half, self-signed failures 1 and self-signed successes nothing.
 * @param limited whether only 10 sponsored successes count, and 3 more for each corroborated success
 */
export function scoreOf({ corroborated, sponsored, selfSigned }: Basis, limited: boolean): number {
  const most = limited ? LIMITED_SUCCESSES + LIMITED_PER_CORROBORATED * corroborated.successes : Infinity;
  return wilsonPercent({
    successes: corroborated.successes + Math.min(sponsored.successes, most) / 2,
    failures: corroborated.failures + sponsored.failures / 2 + selfSigned.failures,
  });
}

/**
 * Returns the lower bound of the success rate with 95% confidence, in percent, 0 to 100; 0 without outcomes.
 */
function wilsonPercent({ successes, failures }: Outcomes): number {
  return Math.round(100 * wilsonLowerBound(successes, successes + failures));
}

/**
 * Returns the lower bound of Wilson's score interval at 95% for `successes` out of `size` (Wilson 1927); 0
 * without successes. Both may be weighed sums.
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
