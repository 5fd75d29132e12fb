import { describe, expect, test } from 'bun:test';
import { FRAMEWORKS } from '../../../../../src/proof/package/frameworks/catalogue.ts';
import { confirmationsOf } from '../../../../../src/trust/compliance/packages/confirmations.ts';
import {
  type Report,
  type ReportStatus,
  reportOf,
} from '../../../../../src/trust/compliance/packages/report.ts';
import { ReportTally } from '../../../../../src/trust/compliance/reports/tally.ts';

const control = (id: string, status: string) => ({ id, status });

describe('a compliance report', () => {
  const framework = 'ISO_27001';
  const cases = [
    [
      'gives each control its status',
      [control('A.8.15', 'pass'), control('A.8.5', 'fail')],
      { 'A.8.15': 'pass', 'A.8.5': 'fail' },
    ],
    [
      'that lists a control twice has failed it if one of them says so',
      [control('X', 'fail'), control('X', 'pass')],
      { X: 'fail' },
    ],
    [
      'that lists a control twice has passed it if the other does not apply',
      [control('X', 'not_applicable'), control('X', 'pass')],
      { X: 'pass' },
    ],
    [
      'with members that are no controls gives the others',
      [7, { id: 3, status: 'pass' }, control('X', 'maybe'), control('Y', 'pass')],
      { Y: 'pass' },
    ],
    [
      'may name a control like a member of every object',
      [control('__proto__', 'fail')],
      { ['__proto__']: 'fail' },
    ],
  ] as const;
  test.each(cases)('%s', (_name, controls, statuses) => {
    const report = reportOf({ framework, controls: [...controls] }, framework);
    expect([...(report?.statuses ?? [])]).toEqual(Object.entries(statuses));
  });

  test.each([
    ['an object with two times', { from: '2026-04-01T02:00:00+02:00', to: '2026-05-01T00:00:00Z' }, true],
    ['text', 'April 2026', false],
    ['times that end before they begin', { from: '2026-05-01T00:00:00Z', to: '2026-04-01T00:00:00Z' }, false],
    ['times that are none', { from: 1, to: 'May' }, false],
    ['nothing', undefined, false],
  ])('with %s as its period is about that, or about none that can be read', (_name, period, isRead) => {
    const payload = {
      framework,
      controls: [control('A.8.15', 'pass')],
      ...(period === undefined ? {} : { period }),
    };
    const read = { from: '2026-04-01T00:00:00.000Z', to: '2026-05-01T00:00:00.000Z' };
    expect(reportOf(payload, framework)?.period).toEqual(isRead ? read : null);
  });

  test('passes without evidence a control that it names none for', () => {
    const controls = [
      control('A.8.5', 'pass'),
      { ...control('A.8.15', 'pass'), evidence: 'log' },
      control('A.8.17', 'fail'),
    ];
    expect([...(reportOf({ framework, controls }, framework)?.withoutEvidence ?? [])]).toEqual(['A.8.5']);
  });

  test.each([
    ['another framework', { framework: 'SOC2_TYPE2', controls: [control('A.8.15', 'pass')] }],
    ['a framework in other letters', { framework: 'iso_27001', controls: [control('A.8.15', 'pass')] }],
    ['no list of controls', { framework, controls: 'all' }],
  ])('with %s does not count', (_name, payload) => {
    expect(reportOf(payload, framework)).toBeNull();
  });
});

describe('the tally of reports', () => {
  const saying = (statuses: [string, ReportStatus][], more: Partial<Report> = {}): Report => ({
    ...{ statuses: new Map(statuses), withoutEvidence: new Set(), period: null },
    ...more,
  });
  const PERIOD = { from: '2026-05-01T00:00:00.000Z', to: '2026-06-01T00:00:00.000Z' };
  const FACTS = { framework: 'SOC2_TYPE2', period: PERIOD };
  const NOBODY = confirmationsOf([], PERIOD, PERIOD.from);
  const set = { set: 'assessing_reports', count: 3, merkle_root: 'ab'.repeat(32) };
  /** The control CC7.2 after reports with these statuses, the newest first. */
  const cc72 = (...statuses: (ReportStatus | null)[]) => {
    const tally = new ReportTally(FRAMEWORKS.SOC2_TYPE2);
    for (const [age, status] of statuses.entries()) {
      const report: [string, ReportStatus][] = status === null ? [['CC8.1', 'pass']] : [['CC7.2', status]];
      tally.add(saying(report), `2026-05-0${9 - age}T12:00:00.000Z`);
    }
    return tally.controls(set, FACTS, NOBODY).find(({ id }) => id === 'CC7.2');
  };

  test('is only reported when every report of the agent says pass', () => {
    expect(cc72('pass', 'not_applicable', 'pass')).toEqual({
      id: 'CC7.2',
      title: 'Monitoring for anomalies',
      status: 'reported',
      attested_by: ['self'],
      statement:
        'The agent signed 2 reports: 2 pass, 0 fail. The newest, of 2026-05-09, which gives no period, says pass.',
      not_shown: 'That somebody looks for anomalies is not known. Calls without a trace do not appear.',
      to_add: 'The monitoring of all components, its alarms, and who handles them.',
      counts: {
        ...{ reports: 2, pass: 2, fail: 0, not_applicable: 1 },
        ...{ assessor_pass: 0, assessor_fail: 0, assessor_days: 0, pass_without_evidence: 0 },
      },
      references: set,
      assessments: null,
    });
  });

  const cases = [
    [
      'reported when one report says fail, even an old one',
      ['pass', 'fail'],
      'reported',
      'The agent signed 2 reports: 1 pass, 1 fail. The newest, of 2026-05-09, which gives no period, says pass.',
    ],
    [
      'reported when all reports say fail, and its statement says so',
      ['fail'],
      'reported',
      'The agent signed 1 report: 0 pass, 1 fail. The newest, of 2026-05-09, which gives no period, says fail.',
    ],
    ['not_assessed when no report names the control', [null], 'not_assessed', 'No report assesses it.'],
    [
      'not_assessed when reports call it not applicable',
      ['not_applicable'],
      'not_assessed',
      'No report assesses it. Reports that call it not applicable: 1.',
    ],
  ] as const;
  test.each(cases)('is %s', (_name, statuses, status, statement) => {
    const assessed = cc72(...statuses);
    expect(assessed).toMatchObject({ status, statement });
    expect(assessed?.references === null).toBe(status === 'not_assessed');
  });

  test('shows the period of the newest report, and passes that name no evidence', () => {
    const tally = new ReportTally(FRAMEWORKS.SOC2_TYPE2);
    const period = { from: '2026-04-01T00:00:00.000Z', to: '2026-05-10T00:00:00.000Z' };
    tally.add(
      saying([['CC7.2', 'pass']], { period, withoutEvidence: new Set(['CC7.2']) }),
      '2026-05-09T12:00:00.000Z',
    );
    const assessed = tally.controls(set, FACTS, NOBODY).find(({ id }) => id === 'CC7.2');
    expect(assessed?.statement).toBe(
      'The agent signed 1 report: 1 pass, 0 fail. Passes without evidence: 1. ' +
        'The newest, of 2026-05-09, about 2026-04-01 to 2026-05-10, says pass.',
    );
    expect(assessed?.counts.pass_without_evidence).toBe(1);
  });

  test('lists every control of the framework and no others, and counts the others up to a limit', () => {
    const tally = new ReportTally(FRAMEWORKS.ISO_42001);
    const others = Array.from({ length: 1200 }, (_, n): [string, ReportStatus] => [`X.${n}`, 'pass']);
    tally.add(saying([...others, ['A.8.4', 'pass']]), '2026-05-09T12:00:00.000Z');
    expect(tally.otherControls).toBe(1000);
    expect(tally.controls(set, FACTS, NOBODY).map(({ id }) => id)).toEqual(
      FRAMEWORKS.ISO_42001.controls.map(({ id }) => id),
    );
    expect(tally.controls(set, FACTS, NOBODY).filter(({ status }) => status === 'reported')).toHaveLength(1);
  });
});
