import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { nativePrimitives } from '../../../../../src/platform/crypto/crypto.ts';
import { DEFAULT_CONTEXT, subjectCommitment } from '../../../../../src/proof/agent/commitment.ts';
import { digest } from '../../../../../src/proof/encoding/digest.ts';
import type { JsonObject } from '../../../../../src/proof/encoding/json.ts';
import { createOperator } from '../../../../../src/trust/operators/create-operator.ts';
import { setAccountStatus } from '../../../../../src/trust/pages/dashboard/set-account-status.ts';
import { enrolledAgent, newAgentKey } from '../../../../support/agent.ts';
import { assessmentOf, assessmentsPath, signedAssessment } from '../../../../support/assessments.ts';
import { wrongCounts } from '../../../../support/audit.ts';
import { evidencePath } from '../../../../support/evidence.ts';
import { scenarios } from '../../../../support/scenario.ts';
import { openTrustApp, type TrustApp } from '../../../../support/trust-app.ts';

type Agent = Awaited<ReturnType<typeof enrolledAgent>>;

let app: TrustApp;
let subject: Agent;
let assessor: Agent;
beforeAll(async () => {
  const key = newAgentKey();
  const listed = subjectCommitment(nativePrimitives, key.publicKey, DEFAULT_CONTEXT);
  app = await openTrustApp({ 'compliance.assessors': listed });
  subject = await enrolledAgent(app);
  assessor = await enrolledAgent(app, { key, sponsor: app.otherId, name: 'Auditor' });
});
afterAll(() => app.close());

const submit = (changes?: JsonObject, of = subject, by = assessor) =>
  app.anyone.post(assessmentsPath(of.commitment), signedAssessment(by, of, changes));
const listOf = async (of = subject, query = '') =>
  Object((await app.anyone.get(`${assessmentsPath(of.commitment)}${query}`)).body);

const revoke = async ({ commitment }: Agent, by = app.own): Promise<void> => {
  const { status } = await by.post(`/api/v1/passport/agents/${commitment}/revoke`, {});
  expect(status).toBe(200);
};

describe('an assessment', () => {
  test('is stored without a key, as evidence of the assessor that changes no score', async () => {
    const { sign, ...agent } = await enrolledAgent(app, { sponsor: app.otherId });
    const response = await submit({}, subject, { sign, ...agent });
    expect(response.status).toBe(201);
    const { assessment_id, event_commitment_hash: event, duplicate } = response.body;
    expect([assessment_id, duplicate]).toEqual([`asmt_${String(event).slice(0, 32)}`, false]);
    const { body: profile } = await app.anyone.get(`/api/v1/profiles/${agent.commitment}`);
    expect(profile).toMatchObject({
      totals: { evidence_count: 1 },
      rolling_30d: { success_rate: null },
      timeline: [{ event_commitment_hash: event, source_type: 'assessment' }],
    });
    const of = await app.anyone.get(`/api/v1/profiles/${subject.commitment}`);
    expect(of.body.totals).toMatchObject({ evidence_count: 0 });
    const bundle = await app.anyone.get(`${evidencePath(agent.commitment)}/${event}/bundle`);
    expect(Object(bundle.body.item)).toMatchObject({
      subject_commitment: agent.commitment,
      source_type: 'assessment',
      payload_digest: digest(nativePrimitives, assessmentOf(agent, subject)),
    });
    expect(await app.service.trust.store.read(wrongCounts)).toEqual([]);
  });

  test('that is sent again returns the first and writes nothing', async () => {
    const first = await submit({ framework: 'ISO_27001', controls: [{ id: 'A.8.15', status: 'pass' }] });
    const again = await submit({ framework: 'ISO_27001', controls: [{ id: 'A.8.15', status: 'pass' }] });
    expect([first.status, again.status]).toEqual([201, 200]);
    expect(again.body).toEqual({ ...first.body, duplicate: true });
    const { assessments } = await listOf();
    expect(
      assessments.filter(({ payload }: JsonObject) => Object(payload).framework === 'ISO_27001'),
    ).toHaveLength(1);
  });

  test('can be about a revoked agent, and an agent without a sponsor', async () => {
    const revoked = await enrolledAgent(app);
    await revoke(revoked);
    expect((await submit({}, revoked)).status).toBe(201);
    expect((await submit({}, await enrolledAgent(app, { sponsor: null }))).status).toBe(201);
  });

  test('cannot be changed or deleted in the database', async () => {
    await submit();
    await app.service.trust.store.writeAsService(async ({ connection: { sqlite } }) => {
      expect(() => sqlite.run("UPDATE assessment SET framework = 'x'")).toThrow('never change');
      expect(() => sqlite.run('DELETE FROM assessment')).toThrow('never deleted');
    });
  });

  test('is refused with the signature of another key, of another reading and of another payload', async () => {
    const payload = assessmentOf(assessor, subject, {
      framework: 'ISO_42001',
      controls: [{ id: 'A.8.4', status: 'pass' }],
    });
    const hash = digest(nativePrimitives, payload);
    for (const signature of [
      subject.sign(payload),
      assessor.signBytes(Buffer.from(hash, 'hex')),
      assessor.sign({ ...payload, framework: 'SOC2_TYPE2' }),
    ]) {
      const { status, body } = await app.anyone.post(assessmentsPath(subject.commitment), {
        payload,
        signature,
      });
      expect([status, body.reason_code]).toEqual([401, 'invalid_proof']);
    }
  });

  test('is refused as evidence, also under its own source type', async () => {
    const payload = assessmentOf(assessor, subject);
    for (const source_type of ['compliance_report', 'github_commit_payload', 'assessment']) {
      const body = { source_type, payload, signature: assessor.sign(payload) };
      const { status, body: problem } = await app.other.post(evidencePath(assessor.commitment), body);
      expect([status, problem.reason_code]).toEqual([400, 'validation_error']);
    }
  });

  test('of more than 16 KiB is refused', async () => {
    const evidence = Array.from({ length: 20 }, () => 'ä'.repeat(256));
    const controls = ['CC6.1', 'CC7.1', 'CC7.2'].map((id) => ({ id, status: 'pass', evidence }));
    const { status, body } = await submit({ controls });
    expect([status, Object.keys(Object(body.issues))]).toEqual([400, ['payload']]);
    expect((await submit({ controls: controls.slice(0, 1) })).status).toBe(201);
  });
});

describe('what an assessor is', () => {
  const refusal = async (by: Agent, of = subject): Promise<unknown[]> => {
    const { status, body } = await submit({}, of, by);
    return [status, body.reason_code];
  };

  test('an agent of another sponsor than the assessed one', async () => {
    expect(await refusal(await enrolledAgent(app))).toEqual([403, 'forbidden']);
  });

  test('an agent with a sponsor', async () => {
    expect(await refusal(await enrolledAgent(app, { sponsor: null }))).toEqual([403, 'forbidden']);
    const unsponsored = await enrolledAgent(app, { sponsor: null });
    expect(await refusal(await enrolledAgent(app, { sponsor: null }), unsponsored)).toEqual([
      403,
      'forbidden',
    ]);
  });

  test('an agent that enrolled and was not revoked', async () => {
    const revoked = await enrolledAgent(app, { sponsor: app.otherId });
    await revoke(revoked, app.other);
    expect(await refusal(revoked)).toEqual([403, 'agent_not_enrolled']);
    const unknown = newAgentKey();
    const commitment = subjectCommitment(nativePrimitives, unknown.publicKey, DEFAULT_CONTEXT);
    expect(await refusal({ ...unknown, commitment, agent: subject.agent })).toEqual([
      403,
      'agent_not_enrolled',
    ]);
  });

  test('an agent whose sponsor is active', async () => {
    const { SUSPENDED, ACTIVE, agent } = await sponsored();
    await SUSPENDED();
    expect(await refusal(agent)).toEqual([403, 'forbidden']);
    await ACTIVE();
    expect(await refusal(agent)).toEqual([201, undefined]);
  });
});

const body = (changes: JsonObject) => () => signedAssessment(assessor, subject, changes);
const control = (changes: JsonObject) => body({ controls: [{ id: 'CC7.2', status: 'pass', ...changes }] });
const path = () => `POST ${assessmentsPath(subject.commitment)}`;
const period = (from: string, to: string) => body({ period: { from, to } });

describe('a request', () => {
  scenarios(
    () => app,
    [
      [
        'for an unknown agent is not found',
        `POST ${assessmentsPath('ab'.repeat(32))}`,
        '404 not_found',
        { body: () => signedAssessment(assessor, { commitment: 'ab'.repeat(32) }) },
      ],
      [
        'for another agent than the one of the path is refused',
        path,
        '400 validation_error: payload.subject_commitment',
        { body: body({ subject_commitment: 'ab'.repeat(32) }) },
      ],
      [
        'of an agent about itself is refused',
        path,
        '400 validation_error: payload.assessor_commitment',
        { body: () => signedAssessment(subject, subject) },
      ],
      [
        'of another type is refused',
        path,
        '400 validation_error: payload.type',
        { body: body({ type: 'report' }) },
      ],
      [
        'with a member too many is refused',
        path,
        '400 validation_error: payload.note',
        { body: body({ note: 'x' }) },
      ],
      [
        'of an unknown framework is refused',
        path,
        '400 validation_error: payload.framework',
        { body: body({ framework: 'SOC3' }) },
      ],
      [
        'of a framework of clusters is refused',
        path,
        '400 validation_error: payload.framework',
        { body: body({ framework: 'ISO_14064' }) },
      ],
      [
        'without controls is refused',
        path,
        '400 validation_error: payload.controls',
        { body: body({ controls: [] }) },
      ],
      [
        'with a control of another framework is refused',
        path,
        '400 validation_error: payload.controls.0.id',
        { body: control({ id: 'A.8.15' }) },
      ],
      [
        'with a control twice is refused',
        path,
        '400 validation_error: payload.controls.1.id',
        {
          body: body({
            controls: [
              { id: 'CC7.2', status: 'pass' },
              { id: 'CC7.2', status: 'fail' },
            ],
          }),
        },
      ],
      [
        'with an unknown status is refused',
        path,
        '400 validation_error: payload.controls.0.status',
        { body: control({ status: 'ok' }) },
      ],
      [
        'with a control character in evidence is refused',
        path,
        '400 validation_error: payload.controls.0.evidence',
        { body: control({ evidence: 'a\u0000' }) },
      ],
      [
        'with text that turns its direction is refused',
        path,
        '400 validation_error: payload.controls.0.evidence',
        { body: control({ evidence: 'a\u202eb' }) },
      ],
      [
        'with an object as evidence is refused',
        path,
        '400 validation_error: payload.controls.0.evidence',
        { body: control({ evidence: {} }) },
      ],
      [
        'with markup in evidence is taken as text',
        path,
        '201',
        { body: control({ evidence: '<script>1</script>' }) },
      ],
      [
        'of a period that ends before it begins is refused',
        path,
        '400 validation_error: payload.period.to',
        { body: period('2026-05-01T00:00:00Z', '2026-04-01T00:00:00Z') },
      ],
      [
        'of an empty period is refused',
        path,
        '400 validation_error: payload.period.to',
        { body: period('2026-05-01T00:00:00Z', '2026-05-01T00:00:00Z') },
      ],
      [
        'of a period that has not ended is refused',
        path,
        '400 validation_error: payload.period.to',
        { body: period('2026-05-01T00:00:00Z', '2999-05-01T00:00:00Z') },
      ],
      [
        'of a period before 1970 is refused',
        path,
        '400 validation_error: payload.period.from',
        { body: period('1900-05-01T00:00:00Z', '2026-04-01T00:00:00Z') },
      ],
      [
        'of a period that is no time is refused',
        path,
        '400 validation_error: payload.period.from',
        { body: period('April', '2026-04-01T00:00:00Z') },
      ],
      [
        'without a signature is refused',
        path,
        '400 validation_error: signature',
        { body: () => ({ payload: assessmentOf(assessor, subject) }) },
      ],
      ['that is no JSON is refused', path, '400 invalid_json', { raw: '{"payload"' }],
      [
        'for the assessments of an unknown agent is not found',
        `GET ${assessmentsPath('ab'.repeat(32))}`,
        '404 not_found',
      ],
      [
        'with a limit of 0 is refused',
        () => `GET ${assessmentsPath(subject.commitment)}?limit=0`,
        '400 validation_error: limit',
      ],
      [
        'with a cursor of nothing is refused',
        () => `GET ${assessmentsPath(subject.commitment)}?cursor=x`,
        '400 validation_error: cursor',
      ],
    ],
    { by: 'anyone' },
  );
});

describe('the list', () => {
  test('has what everybody can verify, newest first, in pages', async () => {
    const of = await enrolledAgent(app);
    for (const status of ['pass', 'fail', 'not_applicable'])
      expect((await submit({ controls: [{ id: 'CC7.2', status }] }, of)).status).toBe(201);
    const first = await listOf(of, '?limit=2');
    const second = await listOf(of, `?limit=2&cursor=${first.next_cursor}`);
    expect(second.next_cursor).toBeNull();
    const all = [...first.assessments, ...second.assessments];
    expect(all.map(({ payload }) => payload.controls[0].status)).toEqual(['not_applicable', 'fail', 'pass']);
    for (const { payload, signature, confirms, assessor_name } of all) {
      expect(signature).toBe(assessor.sign(payload));
      expect([confirms, assessor_name]).toEqual([true, 'Auditor']);
    }
  });

  test('has a page of large assessments with fewer of them', async () => {
    const of = await enrolledAgent(app);
    for (let number = 0; number < 24; number++) {
      const evidence = Array.from({ length: 20 }, () => `${number} ${'x'.repeat(250)}`);
      const controls = ['CC6.1', 'CC7.1', 'CC7.2'].map((id) => ({ id, status: 'pass', evidence }));
      await submit({ controls }, of);
    }
    const first = await listOf(of, '?limit=100');
    const second = await listOf(of, `?limit=100&cursor=${first.next_cursor}`);
    expect(first.assessments.length).toBeLessThan(20);
    expect(first.assessments.length + second.assessments.length).toBe(24);
  });

  test('says that nobody confirms whom the administrator does not list', async () => {
    const of = await enrolledAgent(app);
    await submit({}, of, await enrolledAgent(app, { sponsor: app.otherId }));
    expect((await listOf(of)).assessments).toMatchObject([{ confirms: false }]);
  });
});

/** An agent of an operator of its own, whose account a test suspends. */
async function sponsored() {
  const { trust } = app.service;
  const { operator_id: id } = await createOperator(trust, { name: null, admin: false });
  return {
    agent: await enrolledAgent(app, { sponsor: id }),
    SUSPENDED: () => setAccountStatus(trust, id, 'SUSPENDED'),
    ACTIVE: () => setAccountStatus(trust, id, 'ACTIVE'),
  };
}
