import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { reputationRecords } from '../../../../../src/trust/evidence/reputation/agent-records.ts';
import { enrolledAgent } from '../../../../support/agent.ts';
import { type Scenario, scenarios } from '../../../../support/scenario.ts';
import { openTrustApp, type TrustApp } from '../../../../support/trust-app.ts';
import { VirtualTime } from '../../../../support/virtual-time.ts';
import { doneWork, times } from '../../../../support/work.ts';

let app: TrustApp;
let time: VirtualTime;
let agent: Awaited<ReturnType<typeof enrolledAgent>>;
let fresh: typeof agent;
let revoked: typeof agent;

beforeAll(async () => {
  time = new VirtualTime(Date.parse('2026-11-21T12:00:00.000Z'));
  app = await openTrustApp({}, time);
  agent = await enrolledAgent(app, { name: 'named' });
  fresh = await enrolledAgent(app);
  revoked = await enrolledAgent(app);
  await doneWork(app, agent.commitment, [...times(2, 'failure'), ...times(58, 'success')]);
  time.advance(1000);
  await doneWork(app, agent.commitment, ['failure']);
  await doneWork(app, revoked.commitment, ['success']);
  await app.service.trust.store.writeAsService(async (tx) => {
    const at = new Date(time.now()).toISOString();
    tx.connection.sqlite
      .query(
        "UPDATE agent SET state = 'REVOKED', revoked_at = ?, revocation_reason = 'a reason' WHERE agent_seq = ?",
      )
      .run(at, revoked.agent.agentSeq);
    await reputationRecords.agentRevokedIn(tx, revoked.agent.agentSeq);
  });
});
afterAll(() => app.close());

const path = (hash: string): string => `/api/v1/profiles/${hash}`;

describe('a profile', () => {
  const unknown = (name: string, hash: () => string): Scenario => [
    name,
    () => `GET ${path(hash())}`,
    '404 not_found',
  ];
  scenarios(
    () => app,
    [
      unknown('of a hash of nobody is not found', () => 'ab'.repeat(32)),
      unknown('of a hash in upper case is not found', () => agent.commitment.toUpperCase()),
      unknown('of a hash one character short is not found', () => agent.commitment.slice(1)),
      unknown('of what is no hash at all is not found', () => 'x'),
      unknown('of a piece of SQL is not found', () => encodeURIComponent("' OR 1=1 --")),
      unknown("of an agent's public key is not found", () => agent.publicKey),
      [
        'of a hash of 257 characters is refused',
        `GET ${path('x'.repeat(257))}`,
        '400 validation_error: hash',
      ],
      [
        'of an agent that only enrolled is empty',
        () => `GET ${path(fresh.commitment)}`,
        '200',
        {
          contains: [
            '"state":"ISSUED","name":null,"presentation":null',
            '"rolling_30d":{"success_rate":null,"failure_rate":null,"sample_size":0},"trajectory_7d":null,"score":0,"score_corroborated":0,"score_basis":{"corroborated":0,"sponsored":0,"self_signed":0},"abandoned":{"abandoned":0,"of":0},"timeline":[]',
          ],
          responseHeaders: { 'access-control-allow-origin': '*' },
        },
      ],
      [
        'of a revoked agent stays, without the reason',
        () => `GET ${path(revoked.commitment)}`,
        '200',
        { contains: ['"state":"REVOKED"', '"evidence_count":1'], lacks: ['a reason'] },
      ],
      [
        'has nothing that is not for everybody',
        () => `GET ${path(agent.commitment)}`,
        '200',
        { lacks: ['op_cus_', 'sponsor_', 'signature', 'payload', 'public_key', 'Seq'] },
      ],
    ],
    { by: 'anyone' },
  );

  test('that is requested more often than the limit is a 429', async () => {
    const limited = await openTrustApp({ rate_limits: 'on', 'limits.public_reads': '1' });
    const ask = () => limited.fetch(new Request(`http://localhost${path('x')}`), '203.0.113.7');
    expect([(await ask()).status, (await ask()).status]).toEqual([404, 429]);
    await limited.close();
  });
});

test('a profile has totals, rates and the newest fifty items of the timeline', async () => {
  const { body } = await app.anyone.get(path(agent.commitment));
  const { timeline, ...rest } = body;
  expect(rest).toEqual({
    signed: false,
    subject_commitment: agent.commitment,
    state: 'ISSUED',
    name: 'named',
    presentation: null,
    totals: { evidence_count: 61, artifact_count: 61, failure_count: 3, receipts_count: 0 },
    rolling_30d: { success_rate: 0.9508, failure_rate: 0.0492, sample_size: 61 },
    trajectory_7d: null,
    score: 87,
    score_corroborated: 87,
    score_basis: { corroborated: 61, sponsored: 0, self_signed: 0 },
    abandoned: { abandoned: 0, of: 0 },
  });
  if (!Array.isArray(timeline)) throw new Error('no timeline');
  expect(timeline.length).toBe(50);
  expect(timeline[0]).toEqual({
    event_commitment_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    source_type: 'compliance_report',
    outcome: 'failure',
    created_at: '2026-11-21T12:00:01.000Z',
  });
  expect(timeline.slice(1).every(({ outcome }) => outcome === 'success')).toBe(true);
  expect(new Set(timeline.map(({ event_commitment_hash }) => event_commitment_hash)).size).toBe(50);
});
