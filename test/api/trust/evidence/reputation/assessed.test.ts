import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { nativePrimitives } from '../../../../../src/platform/crypto/crypto.ts';
import { DEFAULT_CONTEXT, subjectCommitment } from '../../../../../src/proof/agent/commitment.ts';
import type { JsonObject } from '../../../../../src/proof/encoding/json.ts';
import { enrolledAgent, newAgentKey } from '../../../../support/agent.ts';
import { assessmentsPath, signedAssessment } from '../../../../support/assessments.ts';
import { wrongCounts } from '../../../../support/audit.ts';
import { corroboratedAfter, profileAfter } from '../../../../support/corroborated.ts';
import { openTrustApp, type TrustApp } from '../../../../support/trust-app.ts';
import { VirtualTime } from '../../../../support/virtual-time.ts';

type Agent = Awaited<ReturnType<typeof enrolledAgent>>;

let time: VirtualTime;
let app: TrustApp;
let subject: Agent;
let assessor: Agent;
beforeEach(async () => {
  time = new VirtualTime(Date.parse('2026-05-02T12:00:00Z'));
  const key = newAgentKey();
  const listed = subjectCommitment(nativePrimitives, key.publicKey, DEFAULT_CONTEXT);
  app = await openTrustApp({ 'compliance.assessors': listed }, time);
  subject = await enrolledAgent(app);
  assessor = await enrolledAgent(app, { key, sponsor: app.otherId });
});
afterEach(() => app.close());

async function assess(changes: JsonObject = {}, of = subject, by = assessor): Promise<void> {
  const { status, body } = await app.anyone.post(
    assessmentsPath(of.commitment),
    signedAssessment(by, of, changes),
  );
  expect([status < 202, body.error]).toEqual([true, undefined]);
}

const after = (days: number, of = subject) => corroboratedAfter(app, time, of, days);

const control = (status: string, evidence?: string) => ({
  controls: [{ id: 'CC7.2', status, ...(evidence === undefined ? {} : { evidence }) }],
});
const period = (from: string, to: string) => ({
  period: { from: `${from}T00:00:00Z`, to: `${to}T00:00:00Z` },
});

describe('an assessment by a listed assessor of another sponsor', () => {
  test('that passes with evidence is a corroborated success, in no rate, for 30 days', async () => {
    await assess();
    expect(await profileAfter(app, time, subject, 0)).toMatchObject({
      score_basis: { corroborated: 1, sponsored: 0, self_signed: 0 },
      score_corroborated: 21,
      rolling_30d: { success_rate: null, sample_size: 0 },
      totals: { evidence_count: 0, failure_count: 0 },
    });
    expect(await after(29)).toBe(1);
    expect(await after(1)).toBe(0);
    expect(await after(0, assessor)).toBe(0);
  });

  test('that fails is a corroborated failure, whatever else passes', async () => {
    await assess({
      controls: [
        { id: 'CC7.1', status: 'pass', evidence: 'alerts' },
        { id: 'CC7.2', status: 'fail' },
      ],
    });
    const { score, score_basis } = await profileAfter(app, time, subject, 0);
    expect([score, Object(score_basis).corroborated]).toEqual([0, 1]);
  });

  test.each([
    ['that passes without evidence', control('pass')],
    ['that passes with evidence without a letter', control('pass', '---')],
    ['of which nothing applies', control('not_applicable', 'alerts')],
    ['of a time that ended 31 days before', period('2026-03-01', '2026-04-01')],
  ])('%s counts for nothing', async (_name, changes) => {
    await assess(changes);
    expect(await after(0)).toBe(0);
  });

  test('counts once for each framework and outcome in 30 days', async () => {
    await assess();
    // The same one again, and another one that says the same.
    await assess();
    await assess(period('2026-04-10', '2026-05-01'));
    expect(await after(0)).toBe(1);
    await assess({ framework: 'ISO_27001', controls: [{ id: 'A.8.15', status: 'pass', evidence: 'logs' }] });
    expect(await after(0)).toBe(2);
    await assess(control('fail', 'no alerts'));
    expect(await after(1)).toBe(3);
    time.advance(29 * 86_400_000);
    await assess(period('2026-05-10', '2026-06-01'));
    expect(await after(0)).toBe(1);
  });
});

describe('an assessment counts for nothing', () => {
  test('by an assessor that is not listed', async () => {
    await assess({}, subject, await enrolledAgent(app, { sponsor: app.otherId }));
    expect(await after(0)).toBe(0);
  });

  test('of an agent that the sponsor of the assessor ever sponsored', async () => {
    const moved = await enrolledAgent(app, { sponsor: app.otherId });
    const { operatorId: operator_id } = app.service.firstStart;
    const path = `/api/v1/passport/agents/${moved.commitment}/sponsor`;
    expect((await app.own.call('PUT', path, { operator_id })).status).toBe(200);
    await assess({}, moved);
    expect(await after(0, moved)).toBe(0);
  });

  test('of an agent without a sponsor, or that is revoked', async () => {
    const alone = await enrolledAgent(app, { sponsor: null });
    await assess({}, alone);
    expect(await after(0, alone)).toBe(0);
    expect((await app.own.post(`/api/v1/passport/agents/${subject.commitment}/revoke`, {})).status).toBe(200);
    await assess();
    expect(await after(0)).toBe(0);
  });
});

test('fsck names an outcome that is not what the assessor signed', async () => {
  await assess();
  const { store } = app.service.trust;
  await store.writeAsService(async ({ connection }) => {
    connection.sqlite.run('UPDATE agent_day SET assessed_failures = assessed_failures + 1');
  });
  const problems = await store.read(wrongCounts);
  expect(problems.map(({ table }) => table)).toContain('agent_day');
});
