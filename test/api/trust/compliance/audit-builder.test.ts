import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { DAY_MS } from '../../../../src/platform/time/units.ts';
import type { JsonObject } from '../../../../src/proof/encoding/json.ts';
import type { BuildRequest } from '../../../../src/trust/compliance/packages/builder.ts';
import { auditBuilder, auditDraft } from '../../../../src/trust/compliance/reports/builder.ts';
import { enrolledAgent } from '../../../support/agent.ts';
import { evidencePath, PAYLOADS, signedEvidence } from '../../../support/evidence.ts';
import { openTrustApp, type TrustApp } from '../../../support/trust-app.ts';
import { VirtualTime } from '../../../support/virtual-time.ts';

const START = Date.parse('2026-05-01T12:00:00Z');

let app: TrustApp;
let agent: Awaited<ReturnType<typeof enrolledAgent>>;
/** The number of items that were anchored. */
let anchoredItems = 0;

/**
 * Five days: each day a report of SOC 2, on the third day one that fails, and between them other evidence.
 */
beforeAll(async () => {
  const time = new VirtualTime(START);
  app = await openTrustApp({}, time);
  agent = await enrolledAgent(app);
  for (let day = 1; day <= 5; day++) {
    const status = day === 3 ? 'fail' : 'pass';
    await anchor('compliance_report', report('SOC2_TYPE2', day, ['CC7.2', status], ['CC1.1', 'pass']));
    await anchor('compliance_report', report('ISO_27001', day, ['A.8.15', 'pass']));
    await anchor('github_issue_event', PAYLOADS.github_issue_event(`day ${day}`));
    time.advance(DAY_MS);
  }
});
afterAll(() => app.close());

const report = (framework: string, day: number, ...controls: [id: string, status: string][]) => ({
  framework,
  controls: controls.map(([id, status]) => ({ id, status })),
  period: `day ${day}`,
});

async function anchor(type: string, payload: JsonObject): Promise<void> {
  const { status } = await app.own.post(evidencePath(agent.commitment), signedEvidence(agent, type, payload));
  expect(status).toBe(201);
  anchoredItems++;
}

const at = (day: number): string => new Date(START + (day - 1) * DAY_MS).toISOString();

/** The draft of a package over all days, unless `other` says otherwise. */
function draft(other: Partial<BuildRequest> = {}) {
  const period = { from: at(1), to: at(6) };
  const sizes = { receipts: 0, keys: 9, revocations: 0, evidence: anchoredItems, accounts: 0 };
  const request = {
    subject: agent.commitment,
    framework: 'SOC2_TYPE2',
    period,
    generatedAt: at(6),
    view: 'public',
    treeSizes: sizes,
    assessors: [],
  } as const;
  return app.service.trust.store.read((snapshot) => auditBuilder.draftOf(snapshot, { ...request, ...other }));
}

/** The leaves that a draft cites, and the counts of a control. */
async function cited(id: string, other: Partial<BuildRequest> = {}) {
  const found = await draft(other);
  const [set] = found?.sets ?? [];
  const root = { set: 'assessing_reports', count: 1, merkle_root: 'ab'.repeat(32) };
  const controls = found?.controls(new Map([[root.set, root]])) ?? [];
  const { reports, pass, fail, not_applicable } = controls.find((control) => control.id === id)?.counts ?? {};
  return [set?.leaves.evidence, { reports, pass, fail, not_applicable }];
}

describe('the builder of audit packages', () => {
  test('cites the reports of the framework and counts what they say', async () => {
    expect(await cited('CC7.2')).toEqual([
      [0, 3, 6, 9, 12],
      { reports: 5, pass: 4, fail: 1, not_applicable: 0 },
    ]);
    expect(await cited('A.8.15', { framework: 'ISO_27001' })).toEqual([
      [1, 4, 7, 10, 13],
      { reports: 5, pass: 5, fail: 0, not_applicable: 0 },
    ]);
  });

  test('takes what was anchored from the begin of the period, and nothing at its end', async () => {
    const leaves = async (from: number, to: number) =>
      (await cited('CC7.2', { period: { from: at(from), to: at(to) } })).at(0);
    expect(await leaves(2, 4)).toEqual([3, 6]);
    expect(await leaves(1, 2)).toEqual([0]);
    expect(await leaves(5, 6)).toEqual([12]);
    const moment = { from: at(3), to: new Date(Date.parse(at(3)) + 1).toISOString() };
    expect((await cited('CC7.2', { period: moment })).at(0)).toEqual([6]);
  });

  test('leaves out reports that the cited checkpoint does not contain', async () => {
    const treeSizes = { receipts: 0, keys: 9, revocations: 0, evidence: 9, accounts: 0 };
    expect(await cited('CC7.2', { treeSizes })).toEqual([
      [0, 3, 6],
      { reports: 3, pass: 2, fail: 1, not_applicable: 0 },
    ]);
  });

  test('names the agent, the edition and what the package cannot show', async () => {
    expect(await draft()).toMatchObject({
      subject: { type: 'agent', subject_commitment: agent.commitment, state: 'ISSUED' },
      frameworkEdition: expect.stringContaining('2017 Trust Services Criteria'),
      limits: expect.arrayContaining(['Other controls that the reports assess are not listed: 1.']),
    });
  });

  test.each([
    ['a framework that no report names', { framework: 'ISO_42001' }],
    ['a framework without audits', { framework: 'NIST_AI_RMF' }],
    ['an unknown agent', { subject: '00'.repeat(32) }],
    ['a text that is no commitment', { subject: 'nobody' }],
    ['a period before the first report', { period: { from: at(-9), to: at(1) } }],
    ['a period after the last report', { period: { from: at(6), to: at(9) } }],
    [
      'a log without a checkpoint',
      { treeSizes: { receipts: 0, keys: 0, revocations: 0, evidence: 0, accounts: 0 } },
    ],
  ])('finds nothing for %s', async (_name, other) => {
    expect(await draft(other)).toBeNull();
  });

  test('reads payloads in pages, the newest first, up to a limit that the package states', async () => {
    const busy = await enrolledAgent(app);
    await anchorMany(busy, 130);
    const request: BuildRequest = {
      ...{ subject: busy.commitment, framework: 'ISO_42001', view: 'public', assessors: [] },
      period: { from: at(1), to: at(9) },
      generatedAt: at(9),
      treeSizes: { receipts: 0, keys: 9, revocations: 0, evidence: anchoredItems + 130, accounts: 0 },
    };
    const upTo = (most?: number) =>
      app.service.trust.store.read((snapshot) => auditDraft(snapshot, request, most));
    const all = await upTo();
    const leaves = Array.from({ length: 130 }, (_, n) => anchoredItems + n);
    expect(all?.sets.at(0)?.leaves.evidence).toEqual(leaves);
    const newest = await upTo(120);
    expect(newest?.sets.at(0)?.leaves.evidence).toEqual(leaves.slice(10));
    const limit = 'Only the newest 120 compliance reports of the period were read.';
    expect([all?.limits.includes(limit), newest?.limits.includes(limit)]).toEqual([false, true]);
  });
});

async function anchorMany(by: typeof agent, items: number): Promise<void> {
  for (let n = 0; n < items; n++) {
    const body = signedEvidence(by, 'compliance_report', report('ISO_42001', n, ['A.8.4', 'pass']));
    expect((await app.own.post(evidencePath(by.commitment), body)).status).toBe(201);
  }
}
