import { daysOf, type Period } from '../../../proof/package/coverage.ts';
import { counted, grouped } from '../../compliance/packages/page/values.ts';

/** A metric of one class of telemetry. */
export interface Metric {
  value: number | null;
  unit: string;
  standard: string | null;
  interim: boolean;
  /** A share from 0 to 1. */
  coverage: number;
  /** Of a metric over items: their number. */
  count?: number;
  /** Of a ratio: the complete slots of 15 minutes. */
  slots?: number;
  category?: number | null;
}

/** The meters of a class. Times are RFC 3339. */
export interface ShownMeters {
  count: number;
  it: number;
  facility: number;
  retired: number;
  /** Retired ones whose place none took. */
  unreplaced: number;
  attested: number;
  first_enrolled_at: string | null;
  last_enrolled_at: string | null;
}

/** A PUE with what limits it. */
export interface ShownPue extends Metric {
  first_sent: number | null;
  exactly_one: boolean;
  impossible_slots: number;
  coarse_slots: number;
}

/** A PUE with what a reader must know of it. */
export interface LimitedPue {
  pue: ShownPue;
  /** From 0 to 1; null without energy. */
  late_share: number | null;
  corrected_share: number | null;
  longest_window_s: number | null;
  meters: Pick<ShownMeters, 'unreplaced'>;
}

/** Returns whether a metric is one of a year, and of how many of the days of its period it has data. */
export function kindOf(interim: boolean, slots: number | undefined, days: number): string {
  if (!interim) return 'annual (365 days)';
  return slots === undefined
    ? 'interim'
    : `interim (${grouped(Math.floor(slots / 96))} of ${counted(days, 'day')})`;
}

/** Returns the words for where IT energy is metered. Category 3 is a meter that is read all the time. */
export function categoryOf(
  category: number | null,
  isCoarse: boolean,
  name: 'category' | 'PUE category' = 'category',
): string {
  if (category === null) return `${name} not stated: not comparable`;
  const claimed = category === 3 && isCoarse ? ', claimed, not supported by windows over an hour' : '';
  return `${name} ${category}${claimed}`;
}

/** Returns what limits a PUE, one sentence each. */
export function pueNotes({
  pue,
  corrected_share,
  longest_window_s: longest,
  meters: { unreplaced },
}: LimitedPue): string[] {
  const { first_sent, exactly_one, impossible_slots, coarse_slots } = pue;
  return [
    corrected_share === null || corrected_share === 0
      ? null
      : `PUE of the values first sent: ${decimal(first_sent)}`,
    longest === null ? null : `longest window ${span(longest)}`,
    coarse_slots === 0 ? null : `${counted(coarse_slots, 'slot')} of windows over an hour`,
    unreplaced === 0 ? null : `${counted(unreplaced, 'meter')} retired without a successor`,
    exactly_one ? 'exactly 1, which no facility has' : null,
    impossible_slots === 0 ? null : `${counted(impossible_slots, 'slot')} with less than IT, left out`,
  ].filter((note) => note !== null);
}

/** Formats a duration in seconds in the largest unit that fits. */
function span(seconds: number): string {
  if (seconds >= 86_400) return `${decimal(seconds / 86_400)}\u00a0d`;
  if (seconds >= 3600) return `${decimal(seconds / 3600)}\u00a0h`;
  return seconds >= 60 ? `${decimal(seconds / 60)}\u00a0min` : `${seconds}\u00a0s`;
}

/** Formats a value with four significant digits: meters have no more. null is a dash. */
export function decimal(value: number | null): string {
  if (value === null) return '–';
  return grouped(Math.abs(value) >= 1000 ? Math.round(value) : Number(value.toPrecision(4)));
}

/** Formats a share from 0 to 1, rounded up: 0% says that there is none. */
export function percentageUp(part: number): string {
  return `${decimal(Math.ceil(part * 1000 - 1e-6) / 10)}%`;
}

/** Formats a share from 0 to 1, rounded down: 100% says that nothing is missing. */
export function percentage(part: number): string {
  return `${decimal(Math.floor(part * 1000 + 1e-6) / 10)}%`;
}

/**
 * Returns a PUE in one line, like `1.37, interim (23 of 91 days), category not stated: not comparable`.
 * @param period whose UTC days count
 */
export function pueLine(metrics: LimitedPue, period: Period): string {
  const { value, interim, coverage, slots, category, coarse_slots } = metrics.pue;
  const late = metrics.late_share ?? 0;
  const corrected = metrics.corrected_share ?? 0;
  return [
    decimal(value),
    kindOf(interim, slots, daysOf(period).days),
    // An annual PUE may leave out 18 days of the year.
    ...(interim ? [] : [`${percentage(coverage)} of them covered`]),
    categoryOf(category ?? null, coarse_slots > 0),
    ...pueNotes(metrics),
    ...(late === 0 ? [] : [`${percentageUp(late)} of the covered time received late`]),
    ...(corrected === 0 ? [] : [`${percentageUp(corrected)} corrected`]),
  ].join(', ');
}
