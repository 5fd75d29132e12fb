import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  dayOf,
  failureRate,
  milestonesSince,
  type Outcomes,
  reputationAfter,
  sampleSize,
  scoreOf,
  successRate,
  trajectory,
  wilsonLowerBound,
} from '../../../../../src/trust/evidence/reputation/score.ts';

const count = fc.oneof(fc.nat(40), fc.nat(10_000_000));
const outcomes: fc.Arbitrary<Outcomes> = fc.record({ successes: count, failures: count });
const some = outcomes.filter((each) => sampleSize(each) > 0);
const NONE = { successes: 0, failures: 0 };
/** The score of outcomes that others attest. */
const score = (corroborated: Outcomes) => scoreOf({ corroborated, sponsored: NONE, selfSigned: NONE }, false);

describe('rates', () => {
  test.each<[number, number, number | null, number | null]>([
    [0, 0, null, null],
    [1, 0, 1, 0],
    [0, 1, 0, 1],
    [2, 1, 0.6667, 0.3333],
    [1, 2, 0.3333, 0.6667],
    // Both would be rounded up: what is published adds up all the same.
    [13_333, 6_667, 0.6666, 0.3334],
    [9_999_999, 1, 1, 0],
  ])('%p successes and %p failures: %p and %p', (successes, failures, success, failure) => {
    expect([successRate({ successes, failures }), failureRate({ successes, failures })]).toEqual([
      success,
      failure,
    ]);
  });

  test('are fractions of four decimals that add up to 1', () => {
    fc.assert(
      fc.property(some, (each) => {
        const rates = [successRate(each) ?? Number.NaN, failureRate(each) ?? Number.NaN];
        for (const rate of rates) {
          expect(rate >= 0 && rate <= 1).toBe(true);
          expect(String(rate)).toMatch(/^\d(\.\d{1,4})?$/);
        }
        const [success = 0, failure = 0] = rates;
        expect(Math.round(success * 10_000) + Math.round(failure * 10_000)).toBe(10_000);
        expect(Math.abs(failure - each.failures / sampleSize(each))).toBeLessThanOrEqual(0.000_050_001);
      }),
    );
  });

  test('a trajectory is the difference of what is published, of four decimals', () => {
    expect([
      trajectory(NONE, { successes: 1, failures: 0 }),
      trajectory({ successes: 1, failures: 0 }, NONE),
    ]).toEqual([null, null]);
    expect(trajectory({ successes: 1, failures: 2 }, { successes: 2, failures: 1 })).toBe(-0.3334);
    fc.assert(
      fc.property(some, some, (now, before) => {
        const difference = trajectory(now, before) ?? Number.NaN;
        const rates = (successRate(now) ?? 0) - (successRate(before) ?? 0);
        expect(Math.abs(difference - rates)).toBeLessThan(1e-9);
        expect(difference).toBe(Math.round(difference * 10_000) / 10_000);
        expect(trajectory(before, now)).toBeCloseTo(-difference, 10);
      }),
    );
  });
});

describe("Wilson's lower bound", () => {
  // Newcombe, Two-sided confidence intervals for the single proportion, Statistics in Medicine 17 (1998),
  // table I, method 3.
  test.each([
    [81, 263, 0.2553],
    [15, 148, 0.0624],
    [0, 20, 0],
    [1, 29, 0.0061],
  ])('of %p in %p is %p', (successes, size, bound) => {
    expect(wilsonLowerBound(successes, size)).toBeCloseTo(bound, 4);
  });

  test.each([
    [0, 0, 0],
    [1, 0, 21],
    [10, 0, 72],
    [100, 0, 96],
    [95, 5, 89],
    [1_000_000, 0, 100],
    [0, 7, 0],
  ])('a score of %p successes and %p failures is %p', (successes, failures, expected) => {
    expect(score({ successes, failures })).toBe(expected);
  });

  test('lies between 0 and the rate itself', () => {
    fc.assert(
      fc.property(some, (each) => {
        const size = sampleSize(each);
        const bound = wilsonLowerBound(each.successes, size);
        expect(bound >= 0 && bound <= each.successes / size).toBe(true);
        expect(Number.isInteger(score(each)) && score(each) >= 0 && score(each) <= 100).toBe(true);
      }),
    );
  });

  test('never falls by a success, never rises by a failure, and rises as the same rate is seen more often', () => {
    fc.assert(
      fc.property(outcomes, fc.integer({ min: 2, max: 50 }), ({ successes, failures }, times) => {
        const size = successes + failures;
        const bound = wilsonLowerBound(successes, size);
        const close = 1e-12;
        expect(wilsonLowerBound(successes + 1, size + 1)).toBeGreaterThanOrEqual(bound - close);
        expect(wilsonLowerBound(successes, size + 1)).toBeLessThanOrEqual(bound + close);
        expect(wilsonLowerBound(successes * times, size * times)).toBeGreaterThanOrEqual(bound - close);
      }),
    );
  });
});

describe('a score', () => {
  const all = (successes: number, failures = 0) => ({ successes, failures });
  test.each([
    ['150 corroborated successes', [all(150), NONE, NONE], false, 98],
    ['150 sponsored successes weigh a half each', [NONE, all(150), NONE], false, 95],
    ['any number of self-signed successes weighs nothing', [NONE, NONE, all(1_000_000)], false, 0],
    ['self-signed failures weigh in full', [all(20), NONE, all(0, 20)], false, 35],
    ['sponsored failures weigh a half', [all(20), all(0, 20), NONE], false, 49],
    ['a limited agent counts 10 sponsored successes', [NONE, all(150), NONE], true, 57],
    ['and 3 more for each corroborated one', [all(5), all(150), NONE], true, 82],
    ['as many as there are', [all(5), all(4), NONE], true, 65],
    ['nothing', [NONE, NONE, NONE], true, 0],
  ] as const)('%s', (_name, [corroborated, sponsored, selfSigned], limited, expected) => {
    expect(scoreOf({ corroborated, sponsored, selfSigned }, limited)).toBe(expected);
  });

  test('never falls with one more corroborated success, and never rises with a failure', () => {
    const basis = fc.record({ corroborated: outcomes, sponsored: outcomes, selfSigned: outcomes });
    fc.assert(
      fc.property(basis, fc.boolean(), (of, limited) => {
        const { corroborated, selfSigned } = of;
        const better = { ...corroborated, successes: corroborated.successes + 1 };
        const worse = { ...selfSigned, failures: selfSigned.failures + 1 };
        const now = scoreOf(of, limited);
        expect(scoreOf({ ...of, corroborated: better }, limited)).toBeGreaterThanOrEqual(now);
        expect(scoreOf({ ...of, selfSigned: worse }, limited)).toBeLessThanOrEqual(now);
      }),
    );
  });
});

describe('a reputation', () => {
  test.each<[string, number, number, string]>([
    ['normal', 0, 9, 'normal'],
    ['normal', 0, 10, 'degraded'],
    ['normal', 7, 3, 'degraded'],
    ['normal', 30, 10, 'normal'],
    ['normal', 29, 10, 'degraded'],
    ['degraded', 30, 10, 'degraded'],
    ['degraded', 9, 1, 'degraded'],
    ['degraded', 10, 1, 'normal'],
    ['degraded', 0, 1, 'degraded'],
    ['degraded', 1, 0, 'normal'],
    ['degraded', 0, 0, 'normal'],
    ['normal', 0, 0, 'normal'],
  ])('%p, with %p successes and %p failures, is %p', (before, successes, failures, after) => {
    expect(reputationAfter(before === 'normal' ? 'normal' : 'degraded', { successes, failures })).toBe(
      after === 'normal' ? 'normal' : 'degraded',
    );
  });

  test('is not changed by the same outcomes twice', () => {
    fc.assert(
      fc.property(fc.constantFrom('normal' as const, 'degraded' as const), outcomes, (before, each) => {
        const after = reputationAfter(before, each);
        expect(reputationAfter(after, each)).toBe(after);
      }),
    );
  });
});

test('milestones are those reached since the last', () => {
  expect([
    milestonesSince(0, 99),
    milestonesSince(0, 100),
    milestonesSince(100, 499),
    milestonesSince(100, 1000),
    milestonesSince(1000, 5000),
  ]).toEqual([[], [100], [], [500, 1000], []]);
});

test('a day is one of UTC', () => {
  expect([dayOf(Date.parse('1970-01-01T23:59:59.999Z')), dayOf(Date.parse('2026-11-21T00:00:00Z'))]).toEqual([
    0, 20_778,
  ]);
});
