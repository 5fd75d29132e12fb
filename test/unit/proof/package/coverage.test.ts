import { describe, expect, test } from 'bun:test';
import { DAY_MS } from '../../../../src/platform/time/units.ts';
import {
  type Coverage,
  coverageOf,
  coverageProblems,
  isCovered,
  usualCoverage,
} from '../../../../src/proof/package/coverage.ts';

const FROM = Date.parse('2026-05-01T00:00:00.000Z');
const FIRST = FROM / DAY_MS;
const periodOf = (days: number) => ({
  from: new Date(FROM).toISOString(),
  to: new Date(FROM + days * DAY_MS).toISOString(),
});
/** The coverage of a period by records on these days, counted from its first one. */
const onDays = (days: number, recorded: readonly number[]): Coverage =>
  coverageOf(
    'receipts',
    { count: recorded.length, recordDays: new Set(recorded.map((day) => FIRST + day)) },
    periodOf(days),
  );
const every = (step: number, days: number): number[] =>
  Array.from({ length: Math.ceil(days / step) }, (_, index) => index * step);

describe('the coverage of a period', () => {
  const cases = [
    ['records on each day', 90, every(1, 90), 90, []],
    ['no record', 90, [], 0, ['2026-05-01 2026-07-29 90']],
    ['a record each eighth day, which leaves no gap', 90, every(8, 90), 90, []],
    [
      'a record each ninth day, which leaves a gap of eight days before each next one',
      ...[
        28,
        every(9, 28),
        4,
        ['2026-05-02 2026-05-09 8', '2026-05-11 2026-05-18 8', '2026-05-20 2026-05-27 8'],
      ],
    ],
    ['a short time before the first record, which is a gap', 20, [2, 9, 17], 18, ['2026-05-01 2026-05-02 2']],
    ['seven days after the last record, which are covered', 20, every(1, 13), 20, []],
    ['eight days after the last record', 20, every(1, 12), 12, ['2026-05-13 2026-05-20 8']],
    ['records outside of the period only', 20, [-1, 20], 0, ['2026-05-01 2026-05-20 20']],
  ] as [string, number, number[], number, string[]][];
  test.each(cases)('with %s', (_name, days, recorded, covered, gaps) => {
    const coverage = onDays(days, recorded);
    const within = recorded.filter((day) => day >= 0 && day < days);
    expect(coverage).toMatchObject({ days, record_days: within.length, covered_days: covered });
    expect(coverage.gaps.map(({ from, to, days: length }) => `${from} ${to} ${length}`)).toEqual(gaps);
    expect(coverageProblems([coverage], periodOf(days))).toEqual([]);
  });

  test('has each day that a period touches, even for a millisecond', () => {
    const period = { from: '2026-05-01T23:59:59.999Z', to: '2026-05-02T00:00:00.001Z' };
    expect(coverageOf('receipts', { count: 0, recordDays: new Set() }, period).days).toBe(2);
  });

  test('meets the usual thresholds by 90% of its days and records on 20 of them', () => {
    const rule = usualCoverage('receipts');
    expect(isCovered(rule, [onDays(90, every(4, 90))])).toBe(true);
    expect(isCovered(rule, [onDays(90, every(5, 90))])).toBe(false);
    expect(isCovered(rule, [onDays(20, every(1, 20))])).toBe(true);
    expect(isCovered(rule, [onDays(19, every(1, 19))])).toBe(false);
    expect(
      isCovered(rule, [
        onDays(
          90,
          every(1, 81).map((day) => day + 9),
        ),
      ]),
    ).toBe(true);
    expect(
      isCovered(rule, [
        onDays(
          90,
          every(1, 80).map((day) => day + 10),
        ),
      ]),
    ).toBe(false);
    expect(isCovered(rule, [{ ...onDays(90, every(1, 90)), max_gap_days: 30 }])).toBe(false);
    expect(isCovered(usualCoverage('evidence'), [onDays(90, every(1, 90))])).toBe(false);
  });
});

describe('a stated coverage', () => {
  const good = onDays(28, every(9, 28));
  const [gap = { from: '', to: '', days: 0 }] = good.gaps;
  const cases = [
    ['another number of days', { days: 27 }, 'coverage[0].days'],
    ['more days with records than are covered', { record_days: 5 }, 'coverage[0].record_days'],
    ['more days with records than records', { count: 3 }, 'coverage[0].record_days'],
    ['covered days without a record', { record_days: 0 }, 'coverage[0].record_days'],
    ['a gap less', { gaps: good.gaps.slice(1) }, 'coverage[0].covered_days'],
    ['a gap twice', { gaps: [gap, ...good.gaps] }, 'coverage[0].gaps[1]'],
    ['gaps in another order', { gaps: good.gaps.toReversed() }, 'coverage[0].gaps[1]'],
    ['a gap of other days than it says', { gaps: [{ ...gap, days: 9 }] }, 'coverage[0].gaps[0]'],
    ['a gap before the period', { gaps: [{ ...gap, from: '2026-04-01' }] }, 'coverage[0].gaps[0]'],
    ['a gap after the period', { gaps: [{ ...gap, to: '2027-04-01' }] }, 'coverage[0].gaps[0]'],
    [
      'a gap that is none',
      { gaps: [{ from: '2026-05-02', to: '2026-05-08', days: 7 }] },
      'coverage[0].gaps[0]',
    ],
  ] as [string, Partial<Coverage>, string][];
  test.each(cases)('with %s is refused', (_name, change, problem) => {
    expect(coverageProblems([{ ...good, ...change }], periodOf(28)).join()).toContain(problem);
  });

  test('of the same records twice is refused', () => {
    expect(coverageProblems([good, good], periodOf(28))).toEqual([
      'coverage[1].records is also that of another one',
    ]);
  });
});
