import { describe, expect, test } from 'bun:test';
import { type Coverage, usualCoverage } from '../../../../../src/proof/package/coverage.ts';
import type { Attester, ControlStatus } from '../../../../../src/proof/package/format.ts';
import {
  agentSetsOf,
  clusterControlsOf,
  FRAMEWORKS,
  frameworkLimits,
} from '../../../../../src/proof/package/frameworks/catalogue.ts';
import {
  ASSESSMENT_FRAMEWORKS,
  AUDIT_FRAMEWORKS,
  CLUSTER_FRAMEWORKS,
  FRAMEWORK_IDS,
} from '../../../../../src/proof/package/frameworks/framework-ids.ts';
import {
  assess,
  byAgent,
  type Control,
  type Mapping,
  type PeriodFacts,
  type Rule,
  statusOf,
} from '../../../../../src/proof/package/frameworks/mapping.ts';
import { AGENT_COUNTS, type AgentCount } from '../../../../../src/proof/package/frameworks/vocabulary.ts';

const all = Object.values(FRAMEWORKS);
const controls = all.flatMap((framework) => framework.controls);

/** The identifiers that each framework has to have. */
const IDS: Record<(typeof FRAMEWORK_IDS)[number], string[]> = {
  NIST_AI_RMF: [
    ...['GOVERN 1.4', 'GOVERN 1.6', 'GOVERN 2.1', 'MAP 1.1', 'MAP 3.5', 'MEASURE 2.3', 'MEASURE 2.4'],
    ...['MEASURE 2.7', 'MEASURE 2.8', 'MEASURE 2.12', 'MANAGE 4.1', 'MANAGE 4.3'],
  ],
  EU_AI_ACT: ['Art. 12', 'Art. 14', 'Art. 15', 'Art. 19', 'Art. 26(6)', 'Annex XI, Section 1, point 2(e)'],
  SOC2_TYPE2: [
    ...['CC2.1', 'CC4.1', 'CC6.1', 'CC7.1', 'CC7.2', 'CC7.3', 'CC7.4', 'CC8.1', 'A1.1', 'A1.2'],
    ...['PI1.1', 'PI1.2', 'PI1.3', 'PI1.4', 'PI1.5'],
  ],
  ISO_42001: [
    ...['A.4.5', 'A.5.2', 'A.6.2.4', 'A.6.2.6', 'A.6.2.7', 'A.6.2.8', 'A.8.4', 'A.9.2', 'A.9.3', 'A.9.4'],
    'A.10.3',
  ],
  ISO_27001: [
    ...['A.5.15', 'A.5.16', 'A.5.17', 'A.5.18', 'A.5.28', 'A.5.33', 'A.8.5', 'A.8.9', 'A.8.15', 'A.8.16'],
    ...['A.8.17', 'A.8.24'],
  ],
  ISO_14064: [
    ...['ISO 14064-1, 5.2.4', 'ISO 14064-1, 6.2.2', 'ISO 14064-1, 6.3', 'ISO 14064-1, 8.2'],
    'ISO 14064-2, 6.8',
  ],
};

describe('the catalogue of frameworks', () => {
  test.each(FRAMEWORK_IDS)('%s has exactly the controls that the service maps', (id) => {
    expect(FRAMEWORKS[id].controls.map((control) => control.id)).toEqual(IDS[id]);
    expect(FRAMEWORKS[id].id).toBe(id);
  });

  test('a framework is offered for exactly the kinds of packages that its entry names', () => {
    const kinds = {
      assessment: ASSESSMENT_FRAMEWORKS,
      audit: AUDIT_FRAMEWORKS,
      datacenter: CLUSTER_FRAMEWORKS,
    };
    for (const [kind, ids] of Object.entries(kinds)) {
      const named = all.filter((framework) => framework.kinds.some((one) => one === kind));
      expect(named.map(({ id }) => id).sort()).toEqual([...ids].sort());
    }
  });

  test('a framework without packages of clusters has no control for clusters, and one with them has some', () => {
    for (const framework of all) {
      expect(clusterControlsOf(framework).length > 0).toBe(framework.kinds.includes('datacenter'));
    }
  });

  test('a framework without assessments of agents cites no set of an agent', () => {
    for (const framework of all) {
      expect(agentSetsOf(framework).length > 0).toBe(framework.kinds.includes('assessment'));
    }
  });

  test('titles and statements are short sentences that never say compliant', () => {
    for (const { title, statement, not_shown, to_add = '' } of controls) {
      expect(title).toMatch(/^[A-Z].{5,70}[^.]$/);
      const sentences = typeof statement === 'string' ? [statement] : Object.values(statement);
      for (const sentence of [...sentences, not_shown]) expect(sentence).toMatch(/^[A-Z].{20,119}\.$/);
      expect(to_add).toMatch(/^$|^[A-Z].{10,109}\.$/);
      expect(`${title} ${sentences.join(' ')} ${not_shown} ${to_add}`).not.toMatch(
        /complian(?:t|ce with)|complies|certified/i,
      );
    }
  });

  test.each([
    [
      'SOC2_TYPE2',
      '15 of 61 criteria (CC 33, A 3, C 2, PI 5, P 18) are in this package; the others are not assessed.',
    ],
    ['ISO_27001', '12 of 93 criteria (annex A) are in this package; the others are not assessed.'],
    ['ISO_42001', '11 of 38 criteria (annex A) are in this package; the others are not assessed.'],
    ['NIST_AI_RMF', '12 of 72 criteria (subcategories) are in this package; the others are not assessed.'],
    ['EU_AI_ACT', 'Only the listed criteria are assessed.'],
    ['ISO_14064', 'Only the listed criteria are assessed.'],
  ] as const)('the limits of %s say how much of it is assessed', (id, sentence) => {
    expect(frameworkLimits(FRAMEWORKS[id], FRAMEWORKS[id].controls.length)).toContain(sentence);
  });

  test('a rule shows each count that it uses, so that a reader can repeat it', () => {
    for (const mapping of controls.flatMap(({ agent, cluster }) => [agent ?? [], cluster ?? []].flat())) {
      const { requires, statements, unless, best, coverage } = mapping.rule;
      const needed = [...requires, ...statements].map(({ count }) => count);
      expect(needed.length).toBeGreaterThan(0);
      const shown: readonly string[] = mapping.counts;
      for (const name of [...needed, ...unless]) expect(shown).toContain(name);
      expect(coverage !== null).toBe(best === 'satisfied' && requires.length > 0);
    }
  });

  test('a control of an organization that receipts show needs outcomes on 20 days', () => {
    for (const { agent } of controls) {
      const { requires = [], best } = agent?.rule ?? {};
      if (best === 'satisfied' || !requires.some(({ count }) => count === 'receipts')) continue;
      expect(requires).toContainEqual({ count: 'receipt_days', at_least: 20 });
    }
  });

  test('a control that counts assess has sentences about these counts, with names of counts only', () => {
    for (const { statement, agent, cluster } of controls) {
      if (agent === null && cluster == null) continue;
      expect(typeof statement).toBe('object');
      const names = [...(agent?.counts ?? []), ...(cluster?.counts ?? [])];
      const used = Object.entries(statement).flatMap(([name, sentence]) => [
        name,
        ...[...String(sentence).matchAll(/\{(.*?)\}/g)].map(([, one = '']) => one),
      ]);
      for (const name of used) expect(names.map(String)).toContain(name);
    }
  });

  test('a set with reports is that of one control', () => {
    for (const { controls: own } of all)
      for (const set of ['reports', 'results'])
        expect(own.filter(({ agent }) => agent?.set === set).length).toBeLessThan(2);
  });

  test('each count of an agent is used by some control', () => {
    const used = new Set(controls.flatMap(({ agent }) => agent?.counts ?? []));
    expect(Object.keys(AGENT_COUNTS).filter((name) => ![...used].some((one) => one === name))).toEqual([]);
  });
});

const PERIOD = { from: '2026-05-01T00:00:00.000Z', to: '2026-05-31T00:00:00.000Z' };
/** A coverage of all 30 days with records on so many of them. */
const coverageWith = (record_days: number, covered_days = 30): Coverage => ({
  ...{ records: 'receipts', count: 99, days: 30, record_days, covered_days, max_gap_days: 7, gaps: [] },
});
const COVERED = { framework: 'NIST_AI_RMF', period: PERIOD, coverage: [coverageWith(20)] };

describe('the rule of a status', () => {
  const recorded: Rule<AgentCount> = {
    requires: [
      { count: 'receipts', at_least: 1 },
      { count: 'log_days', at_least: 3 },
    ],
    statements: [],
    unless: ['receipts_failed'],
    shares: [{ count: 'receipts_refused', of: 'receipts', at_most_percent: 10 }],
    coverage: usualCoverage('receipts'),
    best: 'satisfied',
  };
  const stated: Rule<AgentCount> = {
    requires: [],
    statements: [{ count: 'own_reports', at_least: 1 }],
    unless: [],
    shares: [],
    coverage: null,
    best: 'satisfied',
  };
  const mixed: Rule<AgentCount> = { ...recorded, statements: stated.statements };
  const met = { receipts: 1, log_days: 3 };
  const confirmed = { assessor_pass: 1, assessor_days: 27 };
  const facts = (recordDays: number, coveredDays: number) => ({
    framework: 'NIST_AI_RMF',
    period: PERIOD,
    coverage: [coverageWith(recordDays, coveredDays)],
  });
  const cases = [
    [
      'satisfied when all that is recorded covers the period',
      recorded,
      met,
      COVERED,
      'satisfied',
      ['service'],
    ],
    ['partial when one requirement is not met', recorded, { receipts: 1 }, COVERED, 'partial', ['service']],
    [
      'partial when a count that must be 0 is not',
      ...[recorded, { ...met, receipts_failed: 1 }, COVERED, 'partial', ['service']],
    ],
    [
      'satisfied with refusals of 10%',
      ...[recorded, { ...met, receipts: 10, receipts_refused: 1 }, COVERED, 'satisfied', ['service']],
    ],
    [
      'partial with more refusals',
      ...[recorded, { ...met, receipts: 9, receipts_refused: 1 }, COVERED, 'partial', ['service']],
    ],
    [
      'partial in a period of less than 90 days of SOC 2',
      ...[recorded, met, { ...COVERED, framework: 'SOC2_TYPE2' }, 'partial', ['service']],
    ],
    ['partial with records on 19 days', recorded, met, facts(19, 30), 'partial', ['service']],
    ['satisfied with 90% of the days covered', recorded, met, facts(20, 27), 'satisfied', ['service']],
    ['partial with less of the days covered', recorded, met, facts(20, 26), 'partial', ['service']],
    [
      'partial without a coverage of these records',
      ...[recorded, met, { ...COVERED, coverage: [] }, 'partial', ['service']],
    ],
    [
      'not_assessed where partial is the best and one requirement is not met',
      ...[{ ...recorded, best: 'partial' }, { receipts: 1, log_days: 2 }, COVERED, 'not_assessed', []],
    ],
    [
      'only reported where partial is the best, one requirement is not met, and the agent says it',
      ...[{ ...mixed, best: 'partial' }, { receipts: 1, own_reports: 1 }, COVERED, 'reported', ['self']],
    ],
    ['at most what the rule permits', { ...recorded, best: 'partial' }, met, COVERED, 'partial', ['service']],
    [
      'partial when an assessor says fail',
      ...[recorded, { ...met, assessor_fail: 1 }, COVERED, 'partial', ['service', 'assessor']],
    ],
    ['not_assessed when no requirement is met', recorded, { log_days: 2 }, COVERED, 'not_assessed', []],
    [
      'only reported when the agent or its sponsor says it',
      stated,
      { own_reports: 9 },
      COVERED,
      'reported',
      ['self'],
    ],
    [
      'satisfied when an assessor confirms it',
      ...[stated, { own_reports: 1, ...confirmed }, COVERED, 'satisfied', ['self', 'assessor']],
    ],
    [
      'only reported when the assessor looked at less than 90% of the days',
      ...[
        stated,
        { own_reports: 1, assessor_pass: 1, assessor_days: 26 },
        COVERED,
        'reported',
        ['self', 'assessor'],
      ],
    ],
    [
      'only reported when one of two assessors says fail',
      ...[
        stated,
        { own_reports: 1, ...confirmed, assessor_fail: 1 },
        COVERED,
        'reported',
        ['self', 'assessor'],
      ],
    ],
    [
      'partial when a statement is missing beside the records',
      ...[mixed, { ...met, ...confirmed }, COVERED, 'partial', ['service', 'assessor']],
    ],
    [
      'partial when records and statements are there, but no assessor',
      ...[mixed, { ...met, own_reports: 1 }, COVERED, 'partial', ['service', 'self']],
    ],
    [
      'satisfied when records cover the period and an assessor confirms the statements',
      ...[
        mixed,
        { ...met, own_reports: 1, ...confirmed },
        COVERED,
        'satisfied',
        ['service', 'self', 'assessor'],
      ],
    ],
  ] as [
    string,
    Rule<AgentCount>,
    Partial<Record<AgentCount, number>>,
    PeriodFacts,
    ControlStatus,
    Attester[],
  ][];
  test.each(cases)('is %s', (_name, rule, some, period, status, attested_by) => {
    expect(statusOf<string>(rule, counts(some), 4, period)).toEqual({ status, attested_by });
  });

  test('is not_assessed without references, whatever the counts are', () => {
    const { status } = statusOf<string>(recorded, counts(met), 0, COVERED);
    expect(status).toBe('not_assessed');
  });
});

const zeros: Record<string, number> = Object.fromEntries(Object.keys(AGENT_COUNTS).map((name) => [name, 0]));
const counts = (some: Partial<Record<AgentCount, number>>): Record<string, number> => ({ ...zeros, ...some });

describe('the assessment of a control', () => {
  const words = { id: 'X 1', title: 'A title', statement: 'A statement.', not_shown: 'The rest.' };
  const control: Control = { ...words, agent: null };
  const shown = { ...words, to_add: null };
  const mapping: Mapping<string, string> = byAgent('actions', ['receipts'], { shows: ['evidence'] });
  const actions = { count: 5, merkle_root: 'ab'.repeat(32) };
  const own = { own_reports: 0, own_fails: 0, assessor_pass: 0, assessor_fail: 0, assessor_days: 0 };

  test('cites its set and shows the counts of its mapping only', () => {
    const some = counts({ receipts: 3, receipt_days: 20, evidence: 2, traces: 1 });
    expect(assess({ ...control, to_add: 'A policy.' }, mapping, some, { actions }, COVERED)).toEqual({
      ...{ ...shown, to_add: 'A policy.', status: 'partial', attested_by: ['service'] },
      counts: { receipts: 3, receipt_days: 20, evidence: 2, ...own },
      ...{ references: { set: 'actions', ...actions }, assessments: null },
    });
  });

  test('cites nothing while it is not assessed', () => {
    expect(assess(control, mapping, counts({ evidence: 5 }), { actions }, COVERED)).toEqual({
      ...{ ...shown, status: 'not_assessed', attested_by: [] },
      counts: { receipts: 0, receipt_days: 0, evidence: 5, ...own },
      ...{ references: null, assessments: null, statement: 'None in the period.' },
    });
  });

  test('is not_assessed if its set is missing, and if nothing maps it', () => {
    const { status } = assess(control, mapping, counts({ receipts: 3 }), {}, COVERED);
    expect(status).toBe('not_assessed');
    expect(assess(control, null, counts({ receipts: 3 }), { actions }, COVERED)).toEqual({
      ...{
        ...shown,
        status: 'not_assessed',
        attested_by: [],
        counts: {},
        references: null,
        assessments: null,
      },
    });
  });

  test('says what is counted, and nothing of what is not', () => {
    const statement = { receipts: 'Receipts: {receipts} on {receipt_days} days.', evidence: 'Evidence.' };
    const said = (some: Partial<Record<AgentCount, number>>): string =>
      assess({ ...control, statement }, mapping, counts(some), { actions }, COVERED).statement;
    expect(said({ receipts: 3, receipt_days: 20 })).toBe('Receipts: 3 on 20 days.');
    expect(said({ receipts: 3, receipt_days: 19, evidence: 1 })).toBe(
      'Too little in the period: receipt days 19 of 20.',
    );
    expect(said({ evidence: 1 })).toBe('None in the period.');
  });

  test('cites the assessments that are of it', () => {
    const sets = { actions, assessments: { count: 1, merkle_root: 'cd'.repeat(32) } };
    const some = counts({ receipts: 3, receipt_days: 20, assessor_fail: 1 });
    expect(assess(control, mapping, some, sets, COVERED, ['It says fail.'])).toMatchObject({
      statement: 'A statement. It says fail.',
      references: { set: 'actions' },
      assessments: { set: 'assessments', ...sets.assessments },
    });
  });
});
