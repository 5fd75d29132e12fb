import { describe, expect, test } from 'bun:test';
import {
  type CountedAssessment,
  confirmationsOf,
} from '../../../../../src/trust/compliance/packages/confirmations.ts';

const PERIOD = { from: '2026-05-01T06:00:00.000Z', to: '2026-05-31T06:00:00.000Z' };
const LONG_AGO = '2020-01-01T00:00:00.000Z';
const [ONE, OTHER] = ['11'.repeat(32), '22'.repeat(32)];

/** An assessment of CC7.2 over days of May. */
const of = (
  assessor: string,
  status: 'pass' | 'fail' | 'not_applicable',
  [from, to]: readonly [number, number],
  evidence: string | string[] = 'alerts of 12 days',
): CountedAssessment => {
  const day = (number: number): string => new Date(Date.UTC(2026, 4, number)).toISOString();
  return {
    assessor,
    name: 'A',
    confirms: true,
    period: { from: day(from), to: day(to) },
    controls: [{ id: 'CC7.2', status, evidence }],
  };
};

/** The same of an assessor that no longer stands for itself. */
const fallen = (assessment: CountedAssessment): CountedAssessment => ({ ...assessment, confirms: false });

describe('what assessors say of a control', () => {
  const cases = [
    ['nothing', [], [0, 0, 0]],
    ['a pass for all of the period', [of(ONE, 'pass', [1, 32])], [1, 0, 31]],
    ['a pass for more than the period', [of(ONE, 'pass', [-400, 400])], [1, 0, 31]],
    ['a pass for its first half', [of(ONE, 'pass', [1, 16])], [1, 0, 15]],
    ['a pass for a time before it', [of(ONE, 'pass', [-20, 1])], [0, 0, 0]],
    ['a pass for a time after it', [of(ONE, 'pass', [32, 40])], [0, 0, 0]],
    ['two passes for the same days', [of(ONE, 'pass', [1, 11]), of(OTHER, 'pass', [6, 16])], [2, 0, 15]],
    ['that it does not apply', [of(ONE, 'not_applicable', [1, 32])], [0, 0, 0]],
    ['a fail after a pass', [of(ONE, 'fail', [1, 32]), of(ONE, 'pass', [1, 32])], [1, 1, 31]],
    ['a pass after a fail', [of(ONE, 'pass', [1, 32]), of(ONE, 'fail', [5, 6])], [1, 0, 31]],
    [
      'a pass for less than the fail before it',
      [of(ONE, 'pass', [2, 32]), of(ONE, 'fail', [1, 6])],
      [1, 1, 30],
    ],
    [
      'a pass after a fail, of an assessor that fell later',
      [fallen(of(ONE, 'pass', [1, 32])), fallen(of(ONE, 'fail', [5, 6]))],
      [0, 0, 0],
    ],
    [
      'a fail after a pass, of an assessor that fell later',
      [fallen(of(ONE, 'fail', [5, 6])), fallen(of(ONE, 'pass', [1, 32]))],
      [0, 1, 0],
    ],
    ['a pass without evidence', [of(ONE, 'pass', [1, 32], ' – ')], [1, 0, 0]],
    ['a pass with empty texts as evidence', [of(ONE, 'pass', [1, 32], ['', ' '])], [1, 0, 0]],
    ['a pass with a list of evidence', [of(ONE, 'pass', [1, 32], ['', 'alerts'])], [1, 0, 31]],
    [
      'a pass without evidence after a fail',
      [of(ONE, 'pass', [1, 32], ''), of(ONE, 'fail', [5, 6])],
      [1, 1, 0],
    ],
    [
      'a pass of another assessor after a fail',
      [of(OTHER, 'pass', [1, 32]), of(ONE, 'fail', [1, 2])],
      [1, 1, 31],
    ],
  ] as [string, CountedAssessment[], [number, number, number]][];
  test.each(cases)('is counted: %s', (_name, newestFirst, [assessor_pass, assessor_fail, assessor_days]) => {
    const { of: said } = confirmationsOf(newestFirst, PERIOD, LONG_AGO);
    expect(said('CC7.2')).toEqual({ assessor_pass, assessor_fail, assessor_days });
    expect(said('CC8.1')).toEqual({ assessor_pass: 0, assessor_fail: 0, assessor_days: 0 });
  });

  test.each([
    ['2026-04-30T12:00:00.000Z', 31],
    ['2026-05-30T12:00:00.000Z', 2],
    ['2026-06-01T00:00:00.000Z', 0],
  ])('is of no day before that of the enrollment of the agent, %s', (enrolledAt, assessor_days) => {
    const { of: said } = confirmationsOf([of(ONE, 'pass', [-400, 400])], PERIOD, enrolledAt);
    expect(said('CC7.2')).toEqual({ assessor_pass: 1, assessor_fail: 0, assessor_days });
  });

  test('counts a control that is listed twice as failed if one of them says so', () => {
    const twice = of(ONE, 'pass', [1, 32]);
    const controls = [...twice.controls, { id: 'CC7.2', status: 'fail' as const }];
    expect(confirmationsOf([{ ...twice, controls }], PERIOD, LONG_AGO).of('CC7.2')).toMatchObject({
      assessor_fail: 1,
    });
  });

  test('names the assessors whose assessments overlap, with their number', () => {
    const all = [
      of(OTHER, 'pass', [1, 2]),
      of(ONE, 'fail', [3, 4]),
      of(OTHER, 'fail', [1, 2]),
      of(ONE, 'pass', [-9, -3]),
    ];
    expect(confirmationsOf(all, PERIOD, LONG_AGO).assessors).toEqual([
      { subject_commitment: ONE, name: 'A', assessments: 1 },
      { subject_commitment: OTHER, name: 'A', assessments: 2 },
    ]);
  });
});
