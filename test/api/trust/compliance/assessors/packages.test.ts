import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { nativePrimitives } from '../../../../../src/platform/crypto/crypto.ts';
import { DEFAULT_CONTEXT, subjectCommitment } from '../../../../../src/proof/agent/commitment.ts';
import type { JsonObject } from '../../../../../src/proof/encoding/json.ts';
import { setAccountStatus } from '../../../../../src/trust/pages/dashboard/set-account-status.ts';
import { enrolledAgent, newAgentKey } from '../../../../support/agent.ts';
import { assessmentsPath, signedAssessment } from '../../../../support/assessments.ts';
import { evidencePath, signedEvidence } from '../../../../support/evidence.ts';
import { judgedPackage } from '../../../../support/judged-package.ts';
import { publishCheckpoints } from '../../../../support/published.ts';
import { openTrustApp, type TrustApp } from '../../../../support/trust-app.ts';
import { VirtualTime } from '../../../../support/virtual-time.ts';

type Agent = Awaited<ReturnType<typeof enrolledAgent>>;

const QUARTER = { from: '2026-01-01T00:00:00Z', to: '2026-04-01T00:00:00Z' };
const QUERY = `framework=SOC2_TYPE2&from=${QUARTER.from}&to=${QUARTER.to}`;

let app: TrustApp;
let assessor: Agent;
let subject: Agent;
let time: VirtualTime;
/** Agents that enrolled before the quarter, one for each test. */
let enrolled: Agent[];
beforeAll(async () => {
  const key = newAgentKey();
  time = new VirtualTime(Date.parse('2025-12-31T06:00:00Z'));
  app = await openTrustApp(
    { 'compliance.assessors': subjectCommitment(nativePrimitives, key.publicKey, DEFAULT_CONTEXT) },
    time,
  );
  assessor = await enrolledAgent(app, { key, sponsor: app.otherId });
  enrolled = await Promise.all(Array.from({ length: 12 }, () => enrolledAgent(app)));
  time.advance(90 * 86_400_000);
});
afterAll(() => app.close());
beforeEach(async () => {
  subject = enrolled.pop() ?? (await enrolledAgent(app));
});

async function report(changes: JsonObject = {}): Promise<void> {
  const payload = {
    ...{ framework: 'SOC2_TYPE2', period: QUARTER },
    controls: [{ id: 'CC7.2', status: 'pass', evidence: 'alerts' }],
    ...changes,
  };
  const body = signedEvidence(subject, 'compliance_report', payload);
  expect((await app.own.post(evidencePath(subject.commitment), body)).status).toBe(201);
}

async function assess(
  status: string,
  period: JsonObject = QUARTER,
  by = assessor,
  evidence = 'alerts of 12 days',
): Promise<void> {
  const controls = [{ id: 'CC7.2', status, evidence }];
  const request = signedAssessment(by, subject, { period, controls });
  expect((await app.anyone.post(assessmentsPath(subject.commitment), request)).status).toBe(201);
}

/** Returns what the audit package says of CC7.2, after the period has ended. */
async function cc72() {
  if (time.now() < Date.parse('2026-04-02')) time.advance(2 * 86_400_000);
  await publishCheckpoints(app);
  const { body } = await app.anyone.get(`/api/v1/compliance/audit-package/${subject.commitment}?${QUERY}`);
  const { read, verdict } = await judgedPackage(app, JSON.stringify(body));
  if (read === null) throw new Error(JSON.stringify(body));
  expect(verdict).toBe('valid');
  return { ...read.controls.find(({ id }) => id === 'CC7.2'), assessors: read.assessors };
}

describe('a control of a compliance package', () => {
  /** Returns what the package of the agent for NIST AI RMF says of MEASURE 2.7. */
  async function measure27() {
    if (time.now() < Date.parse('2026-04-02')) time.advance(2 * 86_400_000);
    await publishCheckpoints(app);
    const query = 'from=2026-03-01T00:00:00Z&to=2026-04-02T00:00:00Z';
    const { body } = await app.anyone.get(`/api/v1/compliance/packages/${subject.commitment}?${query}`);
    const { read, verdict, problems } = await judgedPackage(app, JSON.stringify(body));
    expect([verdict, problems]).toEqual(['valid', []]);
    const control = read?.controls.find(({ id }) => id === 'MEASURE 2.7');
    return { ...control, assessors: read?.assessors, sets: read?.reference_sets.map(({ name }) => name) };
  }
  const assessed = async (status: string, period: JsonObject): Promise<void> => {
    const controls = [{ id: 'MEASURE 2.7', status, evidence: 'a test' }];
    const request = signedAssessment(assessor, subject, { framework: 'NIST_AI_RMF', period, controls });
    expect((await app.anyone.post(assessmentsPath(subject.commitment), request)).status).toBe(201);
  };

  test('is reported by reports of the agent, and satisfied once a listed assessor confirms the period', async () => {
    const controls = [{ id: 'MEASURE 2.7', status: 'pass', evidence: 'tests' }];
    await report({ framework: 'NIST_AI_RMF', controls });
    expect(await measure27()).toMatchObject({
      status: 'reported',
      attested_by: ['self'],
      assessors: [],
      assessments: null,
    });
    await assessed('pass', QUARTER);
    expect(await measure27()).toMatchObject({
      ...{ status: 'satisfied', attested_by: ['self', 'assessor'] },
      assessors: [{ subject_commitment: assessor.commitment, assessments: 1 }],
      sets: expect.arrayContaining(['assessments']),
      references: { set: 'reports', count: 1 },
      assessments: { set: 'assessments', count: 1 },
      statement:
        'Reports of the agent or its sponsor that assess this control: 1. ' +
        `Assessor (${assessor.commitment.slice(0, 16)}…) signed pass for 2026-01-01 to 2026-04-01; ` +
        'evidence, as it wrote it: “\u2068a test\u2069”.',
    });
    await assessed('fail', { from: '2026-03-01T00:00:00Z', to: '2026-03-02T00:00:00Z' });
    expect(await measure27()).toMatchObject({ status: 'reported', counts: { assessor_fail: 1 } });
  });

  test('is not satisfied by an assessor while no report of the agent is about it', async () => {
    await report({ framework: 'NIST_AI_RMF', controls: [{ id: 'MAP 1.1', status: 'fail' }] });
    await report({ controls: [{ id: 'MEASURE 2.7', status: 'pass', evidence: 'of another framework' }] });
    await assessed('pass', QUARTER);
    expect(await measure27()).toMatchObject({
      ...{ status: 'not_assessed', attested_by: [], counts: { own_reports: 0, assessor_pass: 1 } },
      ...{ references: null, assessments: { set: 'assessments', count: 1 } },
    });
  });
});

test('assessments of an agent that is not listed change no package, so that none is built anew', async () => {
  await report({ framework: 'NIST_AI_RMF', day: time.now() });
  await publishCheckpoints(app);
  const query = 'from=2026-03-01T00:00:00Z&to=2026-03-31T00:00:00Z';
  const path = `/api/v1/compliance/packages/${subject.commitment}?${query}`;
  const { body: before } = await app.anyone.get(path);
  const stranger = await enrolledAgent(app, { key: newAgentKey(), sponsor: app.otherId });
  await assess('fail', QUARTER, stranger);
  await publishCheckpoints(app);
  expect((await app.anyone.get(path)).body.package_id).toBe(before.package_id);
});

describe('a control of an audit package', () => {
  test('is reported by what the agent says itself, with the period of its report', async () => {
    await report();
    expect(await cc72()).toMatchObject({
      ...{ status: 'reported', attested_by: ['self'], assessors: [] },
      statement: expect.stringContaining('about 2026-01-01 to 2026-04-01'),
    });
  });

  test('does not count a report about another year, or one of a period that only ended before', async () => {
    await report({ period: { from: '2019-01-01T00:00:00Z', to: '2019-12-31T00:00:00Z' } });
    await publishCheckpoints(app);
    const { status } = await app.anyone.get(
      `/api/v1/compliance/audit-package/${subject.commitment}?${QUERY}`,
    );
    expect(status).toBe(404);
  });

  test('is satisfied if a listed assessor passes it for the whole period', async () => {
    await report();
    await cc72();
    await assess('pass');
    expect(await cc72()).toMatchObject({
      ...{ status: 'satisfied', attested_by: ['self', 'assessor'] },
      assessors: [{ subject_commitment: assessor.commitment, assessments: 1 }],
    });
  });

  test('is not satisfied by a pass over a short period, nor by an assessor that is not listed', async () => {
    await report();
    await cc72();
    await assess('pass', { from: '2026-02-01T00:00:00Z', to: '2026-02-02T00:00:00Z' });
    await assess('pass', QUARTER, await enrolledAgent(app, { sponsor: app.otherId }));
    expect(await cc72()).toMatchObject({ status: 'partial', counts: { assessor_pass: 1, assessor_days: 1 } });
  });

  test('is only reported if the assessor names no evidence, whatever it passes', async () => {
    await report();
    await cc72();
    await assess('pass', QUARTER, assessor, '–');
    expect(await cc72()).toMatchObject({
      ...{ status: 'reported', attested_by: ['self', 'assessor'] },
      counts: { assessor_pass: 1, assessor_days: 0 },
    });
  });

  test('is not confirmed for days before the agent enrolled', async () => {
    subject = await enrolledAgent(app);
    await report();
    await cc72();
    await assess('pass');
    expect(await cc72()).toMatchObject({
      ...{ status: 'reported', attested_by: ['self', 'assessor'] },
      counts: { assessor_pass: 1, assessor_days: 0 },
    });
  });

  test('stays failed after a later pass over a shorter period', async () => {
    await report();
    await cc72();
    await assess('fail');
    await assess('pass', { from: '2026-01-01T00:00:00Z', to: '2026-03-31T00:00:00Z' });
    expect(await cc72()).toMatchObject({ status: 'partial', counts: { assessor_pass: 1, assessor_fail: 1 } });
    await assess('pass');
    expect(await cc72()).toMatchObject({ status: 'satisfied', counts: { assessor_fail: 0 } });
  });

  test('loses its confirmation, and keeps its failures, when the assessor is not independent any more', async () => {
    await report();
    await cc72();
    await assess('pass');
    const sponsorOf = async (agent: Agent, operator: string): Promise<void> => {
      const path = `/api/v1/passport/agents/${agent.commitment}/sponsor`;
      expect((await app.own.call('PUT', path, { operator_id: operator })).status).toBe(200);
    };
    const { firstStart, trust } = app.service;
    const listed = async () => {
      const { body } = await app.anyone.get(assessmentsPath(subject.commitment));
      return Object(body).assessments[0].confirms;
    };
    for (const [change, undo] of [
      [() => sponsorOf(subject, app.otherId), () => sponsorOf(subject, firstStart.operatorId)],
      [() => sponsorOf(assessor, firstStart.operatorId), () => sponsorOf(assessor, app.otherId)],
      [
        () => setAccountStatus(trust, app.otherId, 'SUSPENDED'),
        () => setAccountStatus(trust, app.otherId, 'ACTIVE'),
      ],
    ] as const) {
      expect(await listed()).toBe(true);
      await change();
      expect(await listed()).toBe(false);
      await report({ controls: [{ id: 'CC7.2', status: 'pass', evidence: String(time.now()) }] });
      time.advance(1000);
      expect(await cc72()).toMatchObject({ status: 'reported', counts: { assessor_pass: 0 } });
      await undo();
    }
    await assess('fail');
    await sponsorOf(assessor, firstStart.operatorId);
    expect(await cc72()).toMatchObject({ counts: { assessor_pass: 0, assessor_fail: 1 } });
    await sponsorOf(assessor, app.otherId);
  });

  test('is not satisfied by an assessor with more assessments than are read, since older ones may say fail', async () => {
    await report();
    await assess('fail');
    const others = Array.from({ length: 200 }, (_, index) => ({
      id: 'CC6.1',
      status: 'pass',
      evidence: `test ${index}`,
    }));
    for (const control of others) {
      const request = signedAssessment(assessor, subject, { period: QUARTER, controls: [control] });
      expect((await app.anyone.post(assessmentsPath(subject.commitment), request)).status).toBe(201);
    }
    await assess('pass', { from: '2026-01-01T00:00:00Z', to: '2026-03-31T00:00:00Z' });
    expect((await cc72()).status).not.toBe('satisfied');
  });
});
