import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import type { JsonObject } from '../../../../../src/proof/encoding/json.ts';
import { reportCompromised } from '../../../../../src/trust/log/keys/report-compromised.ts';
import { isCurrentIn } from '../../../../../src/trust/receipts/issue-time.ts';
import { a2aClient } from '../../../../support/a2a.ts';
import { enrolledAgent } from '../../../../support/agent.ts';
import { createKeyFor } from '../../../../support/api-keys.ts';
import { audited } from '../../../../support/audit.ts';
import { type ApiResponse, issueBody } from '../../../../support/client.ts';
import { ACP, ENGAGEMENTS, type Market, openMarket } from '../../../../support/engagements.ts';
import { anchored, evidencePath, PAYLOADS, signedEvidence } from '../../../../support/evidence.ts';
import { finalized, SUCCESS } from '../../../../support/log.ts';
import { counter, metricsOf, HOUR as OTLP_HOUR } from '../../../../support/otlp.ts';
import { scratch } from '../../../../support/process.ts';
import { TELEMETRY, telemetryOf } from '../../../../support/telemetry.ts';
import { openTrustApp } from '../../../../support/trust-app.ts';
import { VirtualTime } from '../../../../support/virtual-time.ts';

const SECOND = 1000;
const HOUR = 3600 * SECOND;
const YEAR = 365 * 24 * HOUR;
const AGENTS = '/api/v1/passport/agents';

/** A service with something of everything, and what its requests name. */
async function openWorld(start = Date.now()) {
  const directory = scratch();
  const data = join(directory.path, 'data');
  const time = new VirtualTime(start);
  const market = await openMarket({ credits: { promotional: 1000, paid: 1000 }, data }, time);
  const { app, hirer, worker } = market;
  await anchored(app, hirer);
  const report = signedEvidence(hirer, 'compliance_report', PAYLOADS.compliance_report());
  await app.own.post(evidencePath(hirer.commitment), report);
  await app.own.post(TELEMETRY, telemetryOf(0));
  const tasks = [
    await market.hire(hirer, worker),
    await market.hire(hirer, worker),
    await market.hire(hirer, worker),
  ];
  for (const task of tasks) await market.deliver(worker, task);
  const receipt = await finalized(app.own);
  const pending = (await app.own.issue()).body.receipt_id;
  const older = (await app.own.issue()).body.receipt_id;
  await app.service.trust.log.publisher.publish();
  const credential = await app.anyone.get(`/api/v1/credentials/${hirer.commitment}`);
  const key = await createKeyFor(app.service.trust, app.service.firstStart.operatorId, { role: 'issuer' });
  const extra = await enrolledAgent(app);
  return { ...market, directory, data, time, tasks, receipt, pending, older, credential, key, extra };
}

type World = Market & Awaited<ReturnType<typeof openWorld>>;

const post = (path: string, body: unknown = {}) => ({ path, body });
const get = (path: string) => ({ path, body: undefined });

/** What has a date that the service signs or chains: by its name, the request. */
const REFUSED: Record<string, (world: World) => { path: string; body: unknown }> = {
  'issuing a receipt': () => post('/api/v1/receipts', issueBody()),
  'anchoring evidence': ({ hirer }) =>
    post(
      evidencePath(hirer.commitment),
      signedEvidence(hirer, 'github_commit_payload', PAYLOADS.github_commit_payload()),
    ),
  'telemetry of a cluster': () => post(TELEMETRY, telemetryOf(1)),
  'metrics by OTLP': () => post('/api/v1/datacenter/otlp/v1/metrics', otlp()),
  'accepting a delivery': ({ tasks }) => post(`${ENGAGEMENTS}/${tasks[0]}/accept`),
  'accepting a delivery by ACP': ({ tasks }) => post(`${ACP}/${tasks[1]}/accept`),
  'a withdrawal': ({ hirer }) =>
    post('/api/v1/agent-pay/withdraw', {
      subject_commitment: hirer.commitment,
      amount: 5,
      reference: 'w-1',
    }),
  'a purchase of an agent': ({ hirer, time }) =>
    post('/api/v1/agent-pay/spend', {
      subject_commitment: hirer.commitment,
      product: 'reputation_lookup_verified',
      max_credits: 5,
      nonce: 'payment-2030-01-31-0001',
      expires_at: new Date(time.now() + HOUR).toISOString(),
    }),
  'a metered credential': ({ hirer }) => post(`/api/v1/metered/credentials/${hirer.commitment}`),
  'a status of a receipt': ({ receipt }) => get(`/api/v1/receipts/${receipt.receipt_id}/status`),
  'a signed profile': ({ hirer }) => get(`/api/v1/profiles/${hirer.commitment}?signed=1`),
  'a signed leaderboard': () => get('/api/v1/leaderboard?signed=1'),
  'a signed decision of the gate': ({ app }) =>
    post('/api/v1/gate/verify?signed=1', {
      operator_id: app.service.firstStart.operatorId,
      domain: 'CODE_GENERATION',
    }),
  'an attestation of an agent': ({ hirer }) =>
    get(`/api/v1/badge/${hirer.commitment}/attestation?format=json`),
  'a passport': ({ hirer }) => get(`${AGENTS}/${hirer.commitment}/passport`),
  'a credential': ({ worker }) => get(`/api/v1/credentials/${worker.commitment}`),
  'a list of revoked credentials': () => get('/api/v1/credentials/status/1'),
  'a compliance package': ({ hirer }) =>
    get(`/api/v1/compliance/packages/${hirer.commitment}?framework=NIST_AI_RMF`),
  'an audit package': ({ hirer }) => get(`/api/v1/compliance/audit-package/${hirer.commitment}`),
  'a scorecard': () => get('/api/v1/datacenter/clusters/hall-1/scorecard'),
  'a credential of a cluster': () => get('/api/v1/datacenter/clusters/hall-1/credential'),
};

function otlp(): JsonObject {
  const resource = { 'countersign.cluster.id': 'hall-1', 'service.instance.id': 'rack-1' };
  return metricsOf(resource, [counter('hw.host.energy', 'kW.h', [[0, OTLP_HOUR, 10]])]);
}

const send = ({ app }: World, { path, body }: { path: string; body: unknown }): Promise<ApiResponse> =>
  body === undefined ? app.own.get(path) : app.own.post(path, body);

const balances = async ({ figures, hirer, worker }: World) => [await figures(hirer), await figures(worker)];

describe.each([
  ['ahead', 10 * YEAR],
  ['ahead by little more than a minute', 61 * SECOND],
  ['back', -10 * YEAR],
  ['back by little more than a minute', -61 * SECOND],
])('while the clock was set %s', (_, jump) => {
  let world: World;
  /** The last time that was right, by the monotonic clock. */
  let right: number;

  beforeAll(async () => {
    world = await openWorld();
    right = world.time.now();
    world.time.jump(jump);
  });
  afterAll(async () => {
    await world.app.close();
    expect((await audited(world.data)).reported).toEqual([]);
    world.directory.dispose();
  });

  test.each(Object.entries(REFUSED))('%s is 503 clock_wrong, and nothing moves', async (name, request) => {
    const before = await balances(world);
    const { status, body, headers } = await send(world, request(world));
    // OTLP has errors of its own, whose message begins with the code.
    const code = body.reason_code ?? String(body.message).split(':')[0];
    expect([name, status, code, headers.get('retry-after')]).toEqual([name, 503, 'clock_wrong', '60']);
    expect(await balances(world)).toEqual(before);
  });

  test('linking an account is 503 clock_wrong', async () => {
    const { status, body } = await world.app.own.call('PUT', '/api/v1/operator/linked', { linked: true });
    expect([status, body.reason_code]).toEqual([503, 'clock_wrong']);
  });

  test('a credential by A2A is an error of the protocol', async () => {
    const { app } = world;
    const a2a = a2aClient(app.fetch, 'http://localhost', app.apiKey);
    const body = await a2a.call('SendMessage', {
      message: {
        messageId: 'm-1',
        role: 'ROLE_USER',
        parts: [{ data: { skill: 'issue_credential', subject_commitment: world.worker.commitment } }],
      },
    });
    expect(JSON.stringify(body)).toContain('CLOCK_WRONG');
    expect(body.result).toBeUndefined();
  });

  const datedRight = (date: unknown, notBefore: unknown): void => {
    const time = Date.parse(String(date));
    expect(time).toBeGreaterThanOrEqual(Date.parse(String(notBefore)));
    expect(time).toBeLessThanOrEqual(Math.max(right, Date.parse(String(notBefore))));
  };

  test('a receipt is finalized and revoked, dated after its issue and not after the last right time', async () => {
    const { app, pending, older } = world;
    const done = await app.own.finalize(pending, SUCCESS);
    expect(done.status).toBe(200);
    const { versions } = (await app.own.get(`/api/v1/receipts/${pending}/versions`)).body;
    const [issued, final] = Array.isArray(versions) ? versions : [];
    datedRight(Object(final).signed_at, Object(issued).signed_at);
    expect((await app.own.revoke(older)).status).toBe(200);
    const revoked = (await app.own.get(`/api/v1/receipts/${older}/versions`)).body.versions;
    const [first, second] = Array.isArray(revoked) ? revoked : [];
    datedRight(Object(second).signed_at, Object(first).signed_at);
  });

  test('an agent, a credential and a key are revoked, and the passport says so with a date that is not later', async () => {
    const { app, extra, credential, key } = world;
    const gone = await app.own.post(`${AGENTS}/${extra.commitment}/revoke`, {});
    expect([gone.status, gone.body.state]).toEqual([200, 'REVOKED']);
    datedRight(gone.body.as_of, gone.body.issued_at);
    const id = String(Object(credential.body).id);
    const revoked = await app.own.post(`/api/v1/credentials/${id}/revoke`, {});
    expect(revoked.status).toBe(200);
    datedRight(revoked.body.revoked_at, credential.body.validFrom);
    expect((await app.own.call('DELETE', `/api/v1/operator/api-keys/${key.keyHash}`)).status).toBe(200);
  });

  test('a compromised key is reported, and its end is not later than the last right time', async () => {
    const { trust } = world.app.service;
    const { kid, validFrom } = trust.signer.activeKey('receipts');
    await reportCompromised(trust, kid);
    const ended = trust.signer.all().find((one) => one.kid === kid);
    datedRight(ended?.validUntil, validFrom);
    expect(trust.signer.activeKey('receipts').kid).not.toBe(kid);
  });

  test('no checkpoint is signed, and health and the metrics say so', async () => {
    const { app } = world;
    await app.service.trust.log.publisher.publish();
    const { metrics } = await app.service.background();
    const read = async (name: string) =>
      (await metrics.find((metric) => metric.name === name)?.read())?.[0]?.value;
    expect(await read('countersign_clock_set_seconds')).toBe(jump / SECOND);
    expect(await read('countersign_clock_in_doubt')).toBe(1);
    const { status, body } = await app.anyone.get('/api/health');
    expect([status, String(body.problems)]).toEqual([
      503,
      expect.stringContaining('countersign clock accept'),
    ]);
  });
});

describe('what was refused is done', () => {
  const RESOLVED: [string, (world: World, jump: number) => void][] = [
    ['once the clock is set back', ({ time }, jump) => time.jump(-jump)],
    ['once it is accepted', ({ app }) => void app.service.trust.clockWatch.accept()],
  ];
  test.each(RESOLVED)('%s', async (_, resolve) => {
    // A checkpoint with the new time must not be in the future for fsck.
    const world = await openWorld(Date.now() - 3 * HOUR);
    world.time.jump(2 * HOUR);
    expect((await world.app.own.issue()).status).toBe(503);
    resolve(world, 2 * HOUR);
    for (const [name, request] of Object.entries(REFUSED)) {
      await world.app.service.trust.log.publisher.publish();
      const { status, body } = await send(world, request(world));
      expect([name, body.reason_code, status < 300]).toEqual([name, undefined, true]);
    }
    const health = await world.app.anyone.get('/api/health');
    expect(health.status).toBe(200);
    await world.app.close();
    expect((await audited(world.data)).reported).toEqual([]);
    world.directory.dispose();
  });

  test.each([
    ['a small step', (time: VirtualTime) => time.jump(59 * SECOND)],
    ['a small step back', (time: VirtualTime) => time.jump(-59 * SECOND)],
    ['a night of sleep', (time: VirtualTime) => time.sleep(8 * HOUR)],
  ])('at once after %s', async (_, change) => {
    const world = await openWorld();
    const before = world.time.now();
    change(world.time);
    const { status, body } = await world.app.own.issue({ expiry: '2099-01-01T00:00:00Z' });
    const date = new Date(Math.max(world.time.now(), before)).toISOString();
    expect([status, body.issued_at]).toEqual([201, date]);
    await world.app.close();
    world.directory.dispose();
  });
});

test('a request that was done before gets its first response while the clock is wrong, with its Idempotency-Key', async () => {
  const world = await openWorld();
  const once = () => world.app.own.post('/api/v1/receipts', issueBody(), { 'idempotency-key': 'once' });
  const first = await once();
  world.time.jump(YEAR);
  const again = await once();
  expect([again.status, again.headers.get('idempotency-replayed'), again.body.receipt_id]).toEqual([
    201,
    'true',
    first.body.receipt_id,
  ]);
  await world.app.close();
  world.directory.dispose();
});

test('a date of the future, which a wrong clock gave to a draft, is not that of a receipt', async () => {
  const { app, time, directory } = await openWorld();
  const { trust } = app.service;
  const { keySeq } = trust.signer.activeKey('receipts');
  const isCurrent = (ms: number) =>
    trust.store.writeAsService((tx) =>
      isCurrentIn(tx, trust, new Date(time.now() + ms).toISOString(), keySeq),
    );
  expect([await isCurrent(YEAR), await isCurrent(0)]).toEqual([false, true]);
  await app.close();
  directory.dispose();
});

test('a clock that is set back by less than a minute dates nothing before what it follows', async () => {
  const directory = scratch();
  const time = new VirtualTime(Date.parse('2026-05-01T12:00:00.000Z'));
  const app = await openTrustApp({}, time, join(directory.path, 'data'));
  const agent = await enrolledAgent(app);
  const issued = (await app.own.issue()).body;
  const [receipt_id, issued_at] = [String(issued.receipt_id), String(issued.issued_at)];
  await app.service.trust.log.publisher.publish();
  time.jump(-50 * SECOND);
  await app.own.finalize(receipt_id, SUCCESS);
  await app.own.revoke(receipt_id);
  const { body } = await app.own.get(`/api/v1/receipts/${receipt_id}/versions`);
  const versions: { signed_at: string }[] = Object(body).versions;
  expect(versions.map(({ signed_at }) => signed_at)).toEqual([issued_at, issued_at, issued_at]);
  const packaged = await app.own.get(`/api/v1/compliance/packages/${agent.commitment}?framework=NIST_AI_RMF`);
  expect([packaged.status, packaged.body.generated_at]).toEqual([200, issued_at]);
  await app.close();
  directory.dispose();
});
