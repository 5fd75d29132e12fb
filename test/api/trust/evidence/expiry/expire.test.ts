import { afterEach, beforeEach, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DAY_MS } from '../../../../../src/platform/time/units.ts';
import type { JsonObject } from '../../../../../src/proof/encoding/json.ts';
import { issueServiceReceiptIn } from '../../../../../src/trust/receipts/service-receipt.ts';
import { hasWebhooks } from '../../../../../src/trust/webhooks/webhook.ts';
import { agentAuth, audienceOf } from '../../../../support/agent.ts';
import { createKeyFor } from '../../../../support/api-keys.ts';
import { audited } from '../../../../support/audit.ts';
import { client } from '../../../../support/client.ts';
import { creditedAgent, fundPool, selfProvisionedAgent } from '../../../../support/credits.ts';
import { evidencePath, signedEvidence } from '../../../../support/evidence.ts';
import { localAdministrator } from '../../../../support/local-administrator.ts';
import { openTrustApp, type TrustApp } from '../../../../support/trust-app.ts';
import { VirtualTime } from '../../../../support/virtual-time.ts';

let root: string;
let app: TrustApp;
let time: VirtualTime;
let agent: Awaited<ReturnType<typeof selfProvisionedAgent>>;
let holder: ReturnType<typeof client>;
let events: string[];

const evidence = (commit: string) =>
  signedEvidence(agent, 'github_commit_payload', { sha: commit.repeat(40), commit: { message: commit } });
const expire = async (values = {}) =>
  (await localAdministrator(app))('expireOperators', { idle_days: 90, after: 0, dry_run: false, ...values });
const own = () => ({ operators: [expect.objectContaining({ operator_id: agent.operatorId })], next: null });

beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'countersign-expiry-'));
  time = new VirtualTime();
  app = await openTrustApp({}, time, join(root, 'data'));
  agent = await selfProvisionedAgent(app);
  const { api_key } = await createKeyFor(app.service.trust, agent.operatorId, {
    role: 'holder',
    subject_commitment: agent.commitment,
  });
  holder = client(app.fetch, 'http://localhost', String(api_key));
  events = [];
  for (const commit of ['a', 'b', 'c']) {
    const { status, body } = await holder.post(evidencePath(agent.commitment), evidence(commit));
    expect(status).toBe(201);
    events.push(String(body.event_commitment_hash));
  }
});
afterEach(async () => {
  await app.close();
  rmSync(root, { recursive: true });
});

test('keys and payloads of an idle operator are deleted once, and all that proves something stays', async () => {
  const issued = await holder.issue({ agent_id: agent.commitment });
  expect(await expire()).toEqual({ operators: [], next: null });
  time.advance(91 * DAY_MS);
  expect(await expire({ dry_run: true })).toEqual({
    operators: [{ operator_id: agent.operatorId, keys: 1, webhooks: 0, payloads: 3 }],
    next: null,
  });
  expect((await holder.get('/api/v1/receipts')).status).toBe(200);
  time.advance(91 * DAY_MS);
  expect(await expire()).toEqual({
    operators: [{ operator_id: agent.operatorId, keys: 1, webhooks: 0, payloads: 3 }],
    next: null,
  });
  expect(await expire()).toEqual({ operators: [], next: null });
  expect((await holder.get('/api/v1/receipts')).status).toBe(401);
  // The first operator has the plan FREE too, and is the administrator's.
  expect((await app.own.get(`/api/v1/receipts/${issued.body.receipt_id}`)).status).toBe(404);
  await app.service.trust.log.publisher.publish();
  const path = `${evidencePath(agent.commitment)}/${events[0]}/proof`;
  const proof = await app.fetch(new Request(`http://localhost${path}`));
  expect(proof.status).toBe(200);
  await app.close();
  // The clock of the test was ahead when the log was published.
  const { reported } = await audited(join(root, 'data'));
  expect(reported.filter(({ table }) => table !== 'log')).toEqual([]);
  app = await openTrustApp({}, time, join(root, 'data'));
});

test('an agent that comes back makes a key with its own key, and its chain goes on', async () => {
  time.advance(91 * DAY_MS);
  expect(await expire()).toEqual(own());
  const path = `/api/v1/passport/agents/${agent.commitment}/keys`;
  const auth = agentAuth(
    agent,
    { method: 'POST', path, body: {}, audience: await audienceOf(app) },
    time.now(),
  );
  const made = await app.anyone.post(path, { agent_auth: auth });
  expect([made.status, made.body.operator_id]).toEqual([201, agent.operatorId]);
  const again = client(app.fetch, 'http://localhost', String(made.body.api_key));
  const seen = await again.get(evidencePath(agent.commitment));
  expect([seen.status, JSON.stringify(seen.body).includes('"payload":{')]).toEqual([200, false]);
  expect((await again.post(evidencePath(agent.commitment), evidence('d'))).status).toBe(201);
  expect(await expire()).toEqual({ operators: [], next: null });
  await app.close();
  expect((await audited(join(root, 'data'))).reported).toEqual([]);
  app = await openTrustApp({}, time, join(root, 'data'));
});

test('a request or evidence within the time keeps everything', async () => {
  time.advance(60 * DAY_MS);
  expect((await app.own.post(evidencePath(agent.commitment), evidence('e'))).status).toBe(201);
  time.advance(60 * DAY_MS);
  expect(await expire()).toEqual({ operators: [], next: null });
  expect(await expire({ idle_days: 59 })).toEqual(own());
});

test('what an agent signs without a key counts as a use, and its open engagements keep everything', async () => {
  const other = await creditedAgent(app);
  await fundPool(app, app.service.firstStart.operatorId, { paid: 100 });
  const granted = { subject_commitment: agent.commitment, amount: 100 };
  expect((await app.own.post('/api/v1/passport/credits/grants', granted)).status).toBe(201);
  const signed = async (path: string, body: JsonObject) => {
    const call = { method: 'POST', path, body, audience: await audienceOf(app) };
    return app.anyone.post(path, { ...body, agent_auth: agentAuth(agent, call, time.now()) });
  };
  time.advance(60 * DAY_MS);
  const payment = { from_commitment: agent.commitment, to_commitment: other.commitment, amount: 1 };
  expect((await signed('/api/v1/passport/credits/transfers', payment)).status).toBe(201);
  time.advance(60 * DAY_MS);
  expect(await expire()).toEqual({ operators: [], next: null });
  const hire = {
    task_id: 'task-of-an-idle-agent',
    hirer_commitment: agent.commitment,
    worker_commitment: other.commitment,
    amount: 5,
  };
  expect((await signed('/api/v1/passport/engagements', hire)).status).toBe(201);
  time.advance(91 * DAY_MS);
  expect(await expire()).toEqual({ operators: [], next: null });
  const cancelled = await signed('/api/v1/passport/engagements/task-of-an-idle-agent/cancel', {});
  expect(cancelled.status).toBe(200);
  time.advance(91 * DAY_MS);
  expect(await expire()).toEqual(own());
});

test('webhooks are deleted, and a receipt that the service issued for an agent counts as a use', async () => {
  const url = 'https://1.1.1.1/';
  const { api_key } = await createKeyFor(app.service.trust, agent.operatorId, {});
  const issuer = client(app.fetch, 'http://localhost', String(api_key));
  expect((await issuer.post('/api/v1/webhooks', { url, events: ['evidence.anchored'] })).status).toBe(201);
  time.advance(91 * DAY_MS);
  await app.service.trust.store.writeAsService(async (tx) => {
    const operator = { operatorSeq: agent.operatorSeq, operatorId: agent.operatorId };
    await issueServiceReceiptIn(tx, app.service.trust, {
      operator,
      agentId: agent.commitment,
      receiptType: 'custody',
      inputDigest: 'ab'.repeat(32),
      outputHash: 'ab'.repeat(32),
      authorityScope: 'withdrawal:wdr_1',
    });
  });
  expect(await expire()).toEqual({ operators: [], next: null });
  time.advance(91 * DAY_MS);
  expect(await expire()).toMatchObject({ operators: [{ keys: 2, webhooks: 1, payloads: 3 }] });
  expect(await app.service.trust.store.read(hasWebhooks)).toBe(false);
});

test('payloads cannot be emptied in another way, and fsck reports one that was', async () => {
  const { store } = app.service.trust;
  const set = store.writeAsService(
    (tx) => void tx.connection.sqlite.run("UPDATE evidence SET payload = x''"),
  );
  await expect(set).rejects.toThrow(/evidence never changes/);
  await store.writeAsService((tx) => {
    const { sqlite } = tx.connection;
    const { sql } = Object(
      sqlite.query("SELECT sql FROM sqlite_schema WHERE name = 'evidence_is_final'").get(),
    );
    sqlite.run('DROP TRIGGER evidence_is_final');
    sqlite.run("UPDATE evidence SET payload = x'' WHERE position = 2");
    sqlite.run(sql);
  });
  await app.close();
  expect((await audited(join(root, 'data'))).reported.map(({ what }) => what)).toEqual([
    'payload is missing, and no row of evidence_erasure says that it was deleted',
  ]);
  app = await openTrustApp({}, time, join(root, 'data'));
});
