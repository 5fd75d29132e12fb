import { DAY_MS } from '../encoding/timestamp.ts';

/** The longest run of days without a record that is no gap, by the rules of all frameworks. */
const MAX_GAP_DAYS = 7;

/** The kinds of records whose coverage a package states. */
export const COVERED_RECORDS = ['receipts', 'evidence', 'telemetry', 'energy'] as const;
export type CoveredRecords = (typeof COVERED_RECORDS)[number];

/** A run of days without a record, both inclusive, as `2026-01-31` (UTC). */
export type Gap = { from: string; to: string; days: number };

/** How much of a period has records of a kind. All days are UTC days. */
export type Coverage = {
  records: CoveredRecords;
  /** The number of records. */
  count: number;
  /** The days that the period touches. */
  days: number;
  /** The days with a record. */
  record_days: number;
  /** The days in no gap. */
  covered_days: number;
  max_gap_days: number;
  /** The days before the first record, and each run of more than `max_gap_days` days without one. */
  gaps: Gap[];
};

/** What a rule asks of the coverage of a period. */
export interface CoverageRule {
  records: CoveredRecords;
  /** `covered_days` of each 100 `days`. */
  min_percent: number;
  min_record_days: number;
  max_gap_days: number;
}

/** Returns the usual thresholds: 90% of the days covered, and records on 20 different days. */
export const usualCoverage = (records: CoveredRecords): CoverageRule => ({
  records,
  min_percent: 90,
  min_record_days: 20,
  max_gap_days: MAX_GAP_DAYS,
});

/** A period, from inclusive, to exclusive; RFC 3339 in UTC with milliseconds. */
export interface Period {
  from: string;
  to: string;
}

/** Returns the first and the last UTC day that a period touches, in days since 1970-01-01. */
export function daysOf({ from, to }: Period): { first: number; last: number; days: number } {
  const first = Math.floor(Date.parse(from) / DAY_MS);
  const last = Math.floor((Date.parse(to) - 1) / DAY_MS);
  return { first, last, days: last - first + 1 };
}

/**
 * Returns the coverage of a period by records.
 * @param count the number of records
 * @param recordDays the days that have one, in days since 1970-01-01; days outside of the period do not count
 */
export function coverageOf(
  records: CoveredRecords,
  { count, recordDays }: { count: number; recordDays: ReadonlySet<number> },
  period: Period,
): Coverage {
  const { first, last, days } = daysOf(period);
  const gaps: Gap[] = [];
  let inRecords = 0;
  let uncovered = 0;
  let start = first;
  // The day after the last one ends the last run without a record.
  for (let day = first; day <= last + 1; day++) {
    const isRecorded = recordDays.has(day) && day <= last;
    if (!isRecorded && day <= last) continue;
    const run = day - start;
    if (run > MAX_GAP_DAYS || (run > 0 && inRecords === 0)) {
      gaps.push({ from: dateOf(start), to: dateOf(day - 1), days: run });
      uncovered += run;
    }
    if (isRecorded) inRecords++;
    start = day + 1;
  }
  return {
    ...{ records, count, days, record_days: inRecords, covered_days: days - uncovered },
    ...{ max_gap_days: MAX_GAP_DAYS, gaps },
  };
}

/** Returns whether a rule's thresholds are met. Coverage that a package does not state meets none. */
export function isCovered(rule: CoverageRule, stated: readonly Coverage[]): boolean {
  const coverage = stated.find(({ records }) => records === rule.records);
  return (
    coverage !== undefined &&
    coverage.max_gap_days <= rule.max_gap_days &&
    coverage.covered_days * 100 >= rule.min_percent * coverage.days &&
    coverage.record_days >= rule.min_record_days
  );
}

/** Returns what coverages state that cannot be, one sentence each. */
export function coverageProblems(stated: readonly Coverage[], period: Period): string[] {
  return stated.flatMap((coverage, index) => {
    const path = `coverage[${index}]`;
    const isRepeated = stated.findIndex(({ records }) => records === coverage.records) < index;
    return [
      ...(isRepeated ? [`${path}.records is also that of another one`] : []),
      ...oneProblems(coverage, period).map((problem) => `${path}${problem}`),
    ];
  });
}

function oneProblems(coverage: Coverage, period: Period): string[] {
  const { count, days, record_days, covered_days, max_gap_days, gaps } = coverage;
  const { first, last, days: inPeriod } = daysOf(period);
  const problems: string[] = [];
  if (days !== inPeriod) problems.push(`.days is ${days}, but the period touches ${inPeriod}`);
  if (record_days > Math.min(count, covered_days)) problems.push('.record_days is more than there can be');
  if (record_days === 0 && covered_days > 0) problems.push('.record_days is 0, but days are covered');
  // A day with a record covers itself and at most the days of a run that is no gap.
  if (covered_days > record_days * (max_gap_days + 1))
    problems.push('.covered_days is more than its record_days can cover');
  let uncovered = 0;
  let before = first - 2;
  for (const [at, gap] of gaps.entries()) {
    const [from, to] = [dayOf(gap.from), dayOf(gap.to)];
    const isWithin = from > before + 1 && to >= from && to <= last;
    const isLong = gap.days > max_gap_days || from === first;
    if (!isWithin || gap.days !== to - from + 1 || !isLong)
      problems.push(`.gaps[${at}] is no gap of the period`);
    uncovered += gap.days;
    before = to;
  }
  if (covered_days + uncovered !== days) problems.push('.covered_days is not the days without the gaps');
  return problems;
}

/** Formats a day as `2026-01-31`. */
function dateOf(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}

function dayOf(date: string): number {
  return Date.parse(`${date}T00:00:00.000Z`) / DAY_MS;
}
