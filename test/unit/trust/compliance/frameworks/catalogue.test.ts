import { describe, expect, test } from 'bun:test';
import {
  agentSetsOf,
  clusterControlsOf,
  FRAMEWORKS,
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
    for (const { title, statement } of controls) {
      expect(title).toMatch(/^[A-Z].{5,70}[^.]$/);
      expect(statement).toMatch(/^[A-Z].{20,139}\.$/);
      expect(`${title} ${statement}`).not.toMatch(/complian(?:t|ce with)|complies|certified/i);
    }
  });

  test('a rule shows each count that it uses, so that a reader can repeat it', () => {
    for (const mapping of controls.flatMap(({ agent, cluster }) => [agent ?? [], cluster ?? []].flat())) {
      const { requires, unless } = mapping.rule;
      expect(requires.length).toBeGreaterThan(0);
      const shown: readonly string[] = mapping.counts;
      for (const name of [...requires.map(({ count }) => count), ...unless]) expect(shown).toContain(name);
    }
  });

  test('each count of an agent is used by some control', () => {
    const used = new Set(controls.flatMap(({ agent }) => agent?.counts ?? []));
    expect(Object.keys(AGENT_COUNTS).filter((name) => ![...used].some((one) => one === name))).toEqual([]);
  });
});

describe('the rule of a status', () => {
  const requires = [
    { count: 'a', at_least: 1 },
    { count: 'b', at_least: 3 },
  ] as const;
  const rule = { requires, unless: ['c'], best: 'satisfied' } as const;
  const cases = [
    ['satisfied when all requirements are met', rule, [1, 3, 0], 4, 'satisfied'],
    ['partial when one requirement is not met', rule, [1, 2, 0], 4, 'partial'],
    ['partial when a count that must be 0 is not', rule, [1, 3, 1], 4, 'partial'],
    ['at most what the rule permits', { ...rule, best: 'partial' }, [9, 9, 0], 4, 'partial'],
    ['not_assessed when no requirement is met', rule, [0, 2, 0], 4, 'not_assessed'],
    ['not_assessed without references, whatever the counts are', rule, [9, 9, 0], 0, 'not_assessed'],
  ] as const;
  test.each(cases)('is %s', (_name, tried, [a, b, c], references, status) => {
    expect(statusOf<'a' | 'b' | 'c'>(tried, { a, b, c }, references)).toBe(status);
  });
});

describe('the assessment of a control', () => {
  const zeros = Object.fromEntries(Object.keys(AGENT_COUNTS).map((name) => [name, 0]));
  const counts = (some: Partial<Record<AgentCount, number>>) =>
    ({ ...zeros, ...some }) as Record<AgentCount, number>;
  const control: Control = { id: 'X 1', title: 'A title', statement: 'A statement.', agent: null };
  const words = { id: 'X 1', title: 'A title', statement: 'A statement.' };
  const mapping = byAgent('actions', ['receipts'], { shows: ['evidence'] });
  const actions = { count: 5, merkle_root: 'ab'.repeat(32) };

  test('cites its set and shows the counts of its mapping only', () => {
    expect(assess(control, mapping, counts({ receipts: 3, evidence: 2, traces: 1 }), { actions })).toEqual({
      ...words,
      status: 'satisfied',
      counts: { receipts: 3, evidence: 2 },
      references: { set: 'actions', ...actions },
    });
  });

  test('cites nothing while it is not assessed', () => {
    expect(assess(control, mapping, counts({ evidence: 5 }), { actions })).toEqual({
      ...words,
      status: 'not_assessed',
      counts: { receipts: 0, evidence: 5 },
      references: null,
    });
  });

  test('is not_assessed if its set is missing, and if nothing maps it', () => {
    const { status } = assess(control, mapping, counts({ receipts: 3 }), {});
    expect(status).toBe('not_assessed');
    expect(assess(control, null, counts({ receipts: 3 }), { actions })).toEqual({
      ...words,
      status: 'not_assessed',
      counts: {},
      references: null,
    });
  });
});
