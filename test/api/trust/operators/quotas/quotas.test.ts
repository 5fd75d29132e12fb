import { afterEach, describe, expect, test } from 'bun:test';
import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nativePrimitives } from '../../../../../src/platform/crypto/crypto.ts';
import type { Transaction } from '../../../../../src/platform/store/transaction.ts';
import { provisionDigest } from '../../../../../src/proof/agent/proof-of-work.ts';
import { enrolledAgent, newAgentKey } from '../../../../support/agent.ts';
import { client } from '../../../../support/client.ts';
import { evidencePath, signedEvidence } from '../../../../support/evidence.ts';
import { openTrustApp, type TrustApp } from '../../../../support/trust-app.ts';
import { VirtualTime } from '../../../../support/virtual-time.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const EASY = { 'agents.pow_difficulty': '1' };

let app: TrustApp;
afterEach(() => app.close());

type AgentKey = ReturnType<typeof newAgentKey>;

/** Asks for work, does it, and lets the agent in from an address. */
async function provision(key: AgentKey, peer = '192.0.2.1') {
  const call = client((request) => app.fetch(request, peer), 'http://localhost', null);
  const { body: challenge } = await call.post('/api/v1/passport/agents/autonomous/challenge', {
    public_key: key.publicKey,
  });
  const challengeNonce = String(challenge.challenge_nonce);
  let powNonce = 0;
  while (!createHash('sha256').update(`${challengeNonce}:${powNonce}`).digest('hex').startsWith('0'))
    powNonce++;
  const digest = provisionDigest(nativePrimitives, {
    challengeNonce,
    powNonce: String(powNonce),
    publicKey: key.publicKey,
  });
  return call.post('/api/v1/passport/agents/autonomous/provision', {
    public_key: key.publicKey,
    challenge_nonce: challengeNonce,
    pow_nonce: String(powNonce),
    signature: key.signText(digest),
  });
}

/** An agent that let itself in, and a caller with its holder key. */
async function selfProvisioned(peer?: string) {
  const key = newAgentKey();
  const { status, body } = await provision(key, peer);
  if (status !== 201) throw new Error(JSON.stringify(body));
  const commitment = String(body.subject_commitment);
  const holder = client(app.fetch, 'http://localhost', String(body.api_key));
  /** Evidence with so many bytes that nothing compresses. */
  const evidence = (bytes: number) =>
    signedEvidence(key, 'github_commit_payload', {
      sha: randomBytes(20).toString('hex'),
      commit: { message: randomBytes(bytes / 2).toString('hex') },
    });
  const send = (bytes: number) => holder.post(evidencePath(commitment), evidence(bytes));
  return { key, commitment, holder, bring: send, evidence };
}

/** What the operator who sponsors an agent has used, as its own row says it. */
async function storedBytes(payer: string): Promise<number> {
  return app.service.trust.store.read(
    ({ connection }) =>
      connection.sqlite
        .query<{ bytes: number }, [string]>(
          'SELECT coalesce(sum(bytes), 0) AS bytes FROM stored_bytes WHERE payer = ?',
        )
        .get(payer)?.bytes ?? 0,
  );
}

describe('what a self-provisioned operator may store', () => {
  test('ends at its quota: 403, nothing more is written, and it may still read and protect itself', async () => {
    app = await openTrustApp({ ...EASY, 'quotas.free.stored_bytes': '400000' });
    const { commitment, holder, bring: send } = await selfProvisioned();
    const receipt = await holder.issue({ agent_id: commitment });
    let accepted = 0;
    let refused = await send(60_000);
    for (; refused.status === 201; refused = await send(60_000)) accepted++;
    expect([refused.status, refused.body.reason_code]).toEqual([403, 'quota_exceeded']);
    // Random hexadecimal text is compressed to half of its length.
    expect(accepted).toBeGreaterThan(5);
    expect(accepted).toBeLessThan(14);
    expect(await storedBytes('operator')).toBeLessThanOrEqual(400_000);
    const list = await holder.get(evidencePath(commitment));
    expect(list.body.evidence).toHaveLength(accepted);
    // A write that is never refused is charged all the same.
    const before = await storedBytes('operator');
    const finalized = await holder.finalize(receipt.body.receipt_id, {
      status: 'refusal',
      refusal_reason: 'no',
    });
    expect(finalized.status).toBe(200);
    expect((await holder.revoke(receipt.body.receipt_id)).status).toBe(200);
    expect(await storedBytes('operator')).toBeGreaterThan(before);
  });

  test('is exact for writes that share a transaction', async () => {
    app = await openTrustApp({ ...EASY, 'quotas.free.stored_bytes': '400000' });
    const { bring: send } = await selfProvisioned();
    const responses = await Promise.all(Array.from({ length: 30 }, () => send(60_000)));
    const statuses = responses.map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([201, 403]));
    expect(await storedBytes('operator')).toBeLessThanOrEqual(400_000);
    expect(await storedBytes('operator')).toBe(await storedBytes('free'));
  });

  test('is bounded for all of them together, and from three quarters on nobody new is let in', async () => {
    app = await openTrustApp({ ...EASY, 'quotas.free.total_bytes': '300000' });
    // Addresses of a private network, which has no limit of its own.
    const first = await selfProvisioned('10.0.0.1');
    const second = await selfProvisioned('10.0.0.1');
    while ((await storedBytes('free')) < 225_000) expect((await first.bring(20_000)).status).toBe(201);
    const third = await provision(newAgentKey());
    expect([third.status, third.body.reason_code]).toEqual([403, 'quota_exceeded']);
    let last = await second.bring(20_000);
    while (last.status === 201) last = await second.bring(20_000);
    expect([last.status, last.body.reason_code]).toEqual([403, 'quota_exceeded']);
    expect(await storedBytes('free')).toBeLessThan(300_000);
  });

  test('is at most a twentieth for a /24, and the addresses of another one go on', async () => {
    app = await openTrustApp({ ...EASY, 'quotas.free.total_bytes': '2000000' });
    const first = await selfProvisioned('192.0.2.1');
    const second = await selfProvisioned('192.0.2.200');
    let last = await first.bring(20_000);
    while (last.status === 201) last = await first.bring(20_000);
    expect([last.status, last.body.reason_code]).toEqual([403, 'quota_exceeded']);
    expect(last.body.error).toContain('your network');
    expect((await second.bring(20_000)).status).toBe(403);
    expect((await (await selfProvisioned('198.51.100.1')).bring(20_000)).status).toBe(201);
    expect(await storedBytes('free')).toBeLessThan(200_000);
  });

  test('has no quota for the operators of the administrator, whose use is counted all the same', async () => {
    app = await openTrustApp({ 'quotas.free.stored_bytes': '1000', 'quotas.free.writes_per_minute': '1' });
    for (let n = 0; n < 5; n++) expect((await app.own.issue()).status).toBe(201);
    const { body } = await app.own.get('/api/v1/operator/status');
    expect(Object(body.quota).writes_per_minute).toEqual({ used: 5, limit: null });
    expect(Object(body.quota).stored_bytes.limit).toBeNull();
    expect(Object(body.quota).stored_bytes.used).toBeGreaterThan(5 * 64);
  });

  test('is the value of the settings for an operator of the administrator', async () => {
    app = await openTrustApp({ 'quotas.other.stored_bytes': '20000' });
    let response = await app.own.issue();
    for (let n = 0; n < 100 && response.status === 201; n++) response = await app.own.issue();
    expect([response.status, response.body.reason_code]).toEqual([403, 'quota_exceeded']);
  });

  test('survives a restart', async () => {
    const data = mkdtempSync(join(tmpdir(), 'countersign-quotas-'));
    const settings = { ...EASY, 'quotas.free.stored_bytes': '100000' };
    app = await openTrustApp(settings, null, data);
    const { bring: send, evidence, holder, commitment } = await selfProvisioned();
    expect((await send(60_000)).status).toBe(201);
    const stored = await storedBytes('operator');
    expect(stored).toBeGreaterThan(25_000);
    await app.close();
    app = await openTrustApp(settings, null, data);
    expect(await storedBytes('operator')).toBe(stored);
    const again = client(app.fetch, 'http://localhost', holder.key);
    const responses = [];
    for (let n = 0; n < 3; n++) responses.push(await again.post(evidencePath(commitment), evidence(60_000)));
    expect(responses.at(-1)?.status).toBe(403);
    rmSync(data, { recursive: true });
  });

  test('is counted correctly when writes of one transaction are repeated one by one', async () => {
    app = await openTrustApp({ 'quotas.other.stored_bytes': '1500000' });
    const { principals, store } = app.service.trust;
    await store.writeAsService(({ connection }) => connection.sqlite.run('CREATE TABLE large (data BLOB)'));
    const headers = { authorization: `Bearer ${app.apiKey}` };
    const { authority } = await principals.authenticate(
      new Request('http://localhost/', { method: 'POST', headers }),
      'issuer',
    );
    const large = ({ connection }: Transaction) =>
      connection.sqlite.query('INSERT INTO large VALUES (randomblob(600000))').run();
    let isFirst = true;
    const outcomes = await Promise.allSettled([
      store.write(authority, large),
      store.write(authority, large),
      store.write(authority, () => 'stores nothing'),
      store.writeAsService(({ connection }) => {
        // As SQLite does when the disk fails.
        if (isFirst) connection.sqlite.run('ROLLBACK');
        isFirst = false;
      }),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(Array(4).fill('fulfilled'));
    expect(await storedBytes('operator')).toBeGreaterThan(1_200_000);
    await expect(store.write(authority, large)).rejects.toMatchObject({ code: 'quota_exceeded' });
  });

  test('is not lessened by a write that fails', async () => {
    app = await openTrustApp({ ...EASY });
    const { holder, commitment } = await selfProvisioned();
    const before = await storedBytes('operator');
    const refused = await holder.issue({ agent_id: commitment, prev_receipt_hash: 'ab'.repeat(32) });
    expect(refused.status).toBe(400);
    expect(await storedBytes('operator')).toBe(before);
  });

  test('is never reported as less used than it is', async () => {
    app = await openTrustApp({ ...EASY });
    await selfProvisioned();
    const { trust } = app.service;
    const change = (statement: string) =>
      trust.store.writeAsService(({ connection }) => connection.sqlite.run(statement));
    await expect(change('UPDATE stored_bytes SET bytes = bytes - 1')).rejects.toThrow('only grow');
    await expect(change('DELETE FROM stored_bytes')).rejects.toThrow('only grow');
  });
});

describe('how often an operator writes', () => {
  test('is 120 times a minute for a self-provisioned one: then 429 with Retry-After, and protecting itself goes on', async () => {
    const time = new VirtualTime();
    app = await openTrustApp({ ...EASY, rate_limits: 'on' }, time);
    const { commitment, holder } = await selfProvisioned();
    // Letting itself in was the first.
    const receipt = await holder.issue({ agent_id: commitment });
    for (let n = 2; n < 120; n++) expect((await holder.issue({ agent_id: commitment })).status).toBe(201);
    const refused = await holder.issue({ agent_id: commitment });
    expect([refused.status, refused.body.reason_code]).toEqual([429, 'rate_limit_exceeded']);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await holder.revoke(receipt.body.receipt_id)).status).toBe(200);
    time.advance(MINUTE);
    expect((await holder.issue({ agent_id: commitment })).status).toBe(201);
  });

  test('agents without a sponsor enroll ten times a day from one address, and from another all the same', async () => {
    const time = new VirtualTime();
    app = await openTrustApp({ ...EASY, rate_limits: 'on', 'limits.public_posts': '1000' }, time);
    const provisionFrom = async (peer: string) => (await provision(newAgentKey(), peer)).status;
    for (let n = 0; n < 10; n++) expect(await provisionFrom('192.0.2.1')).toBe(201);
    expect(await provisionFrom('192.0.2.1')).toBe(429);
    expect(await provisionFrom('192.0.2.2')).toBe(201);
    // An IPv6 client has a /64.
    for (let n = 0; n < 10; n++) expect(await provisionFrom(`2001:db8::${n + 1}`)).toBe(201);
    expect(await provisionFrom('2001:db8::ffff')).toBe(429);
    time.advance(DAY);
    expect(await provisionFrom('192.0.2.1')).toBe(201);
  });

  test('the enrollments of a day are counted over a restart, and no address is stored', async () => {
    const data = mkdtempSync(join(tmpdir(), 'countersign-provisions-'));
    const settings = { ...EASY, rate_limits: 'on', 'quotas.free.provisions_per_day': '1' };
    app = await openTrustApp(settings, null, data);
    expect((await provision(newAgentKey(), '192.0.2.77')).status).toBe(201);
    await app.close();
    expect(readFileSync(join(data, 'trust.db')).includes('192.0.2.')).toBe(false);
    app = await openTrustApp(settings, null, data);
    expect((await provision(newAgentKey(), '192.0.2.77')).status).toBe(429);
    expect((await provision(newAgentKey(), '192.0.2.78')).status).toBe(201);
  });

  test('an agent that enrolls with a sponsor counts as no provision', async () => {
    app = await openTrustApp({ ...EASY, rate_limits: 'on', 'quotas.free.provisions_per_day': '1' });
    const enroll = async (caller: TrustApp['own']) => {
      const key = newAgentKey();
      const { body } = await caller.post('/api/v1/passport/agents/enroll/start', {
        public_key: key.publicKey,
      });
      return caller.post('/api/v1/passport/agents/enroll/complete', {
        subject_commitment: body.subject_commitment,
        signature: key.signText(String(body.challenge_nonce)),
      });
    };
    for (let n = 0; n < 3; n++) expect((await enroll(app.own)).status).toBe(201);
    expect((await enroll(app.anyone)).status).toBe(201);
    const refused = await enroll(app.anyone);
    expect([refused.status, refused.body.reason_code]).toEqual([429, 'rate_limit_exceeded']);
  });

  test('--rate-limits off removes limits by time, and no limit of storage', async () => {
    app = await openTrustApp({ ...EASY, 'quotas.free.stored_bytes': '1' });
    for (let n = 0; n < 12; n++) {
      const { status, body } = await provision(newAgentKey());
      expect([status, body.reason_code]).toEqual([403, 'quota_exceeded']);
    }
  });
});

test('a self-provisioned operator has five webhooks', async () => {
  app = await openTrustApp({ ...EASY });
  const { key } = await selfProvisioned();
  const operatorSeq = await app.service.trust.store.read(
    ({ connection }) =>
      connection.sqlite
        .query<{ seq: number }, [string]>('SELECT sponsor_seq AS seq FROM agent WHERE public_key = unhex(?)')
        .get(key.publicKey)?.seq ?? 0,
  );
  const { createKeyIn, newKeyFields: keyRequestOf } = await import(
    '../../../../../src/trust/operators/new-api-key.ts'
  );
  const { trust } = app.service;
  const { api_key } = await trust.store.writeAsService((tx) =>
    createKeyIn(tx, trust, operatorSeq, keyRequestOf({ name: 'issuer' })),
  );
  const issuer = client(app.fetch, 'http://localhost', api_key);
  const subscribe = () =>
    issuer.post('/api/v1/webhooks', { url: 'https://receiver.example/', events: ['evidence.anchored'] });
  for (let n = 0; n < 5; n++) expect((await subscribe()).status).toBe(201);
  const refused = await subscribe();
  expect([refused.status, refused.body.reason_code]).toEqual([409, 'conflict']);
  expect(refused.body.error).toContain('5 webhooks');
});

test('a self-provisioned agent sees its quota with its holder key', async () => {
  app = await openTrustApp({ ...EASY });
  const { holder } = await selfProvisioned();
  const { status, body } = await holder.get('/api/v1/operator/status');
  expect(status).toBe(200);
  expect(Object(body.quota).writes_per_minute.used).toBe(1);
  expect(Object(body.quota).stored_bytes.limit).toBe(64 * 1024 * 1024);
});

test('an agent whose holder key was stolen ends it, whatever the thief has written', async () => {
  app = await openTrustApp({ ...EASY, rate_limits: 'on', 'quotas.free.writes_per_minute': '5' });
  const { key, commitment, holder } = await selfProvisioned();
  const thief = () => holder.issue({ agent_id: commitment });
  while ((await thief()).status === 201);
  const path = `/api/v1/passport/agents/${commitment}/keys`;
  const body = { revoke_others: true };
  const { body: published } = await app.anyone.get('/api/v1/public-key');
  const said = {
    commitment,
    nonce: 'a-nonce-of-16-characters-or-more',
    expires_at: new Date(Date.now() + 60_000).toISOString(),
  };
  const audience = String(published.audience);
  const signature = key.sign({ type: 'agent-auth', method: 'POST', path, body, audience, ...said });
  const made = await app.anyone.post(path, { ...body, agent_auth: { ...said, signature } });
  expect([made.status, made.body.reason_code]).toEqual([201, undefined]);
  expect((await thief()).status).toBe(401);
});

describe('evidence that is refused', () => {
  test('counts as a write, and beyond the quota it is not examined', async () => {
    app = await openTrustApp({ rate_limits: 'on', 'quotas.other.writes_per_minute': '5' });
    const agent = await enrolledAgent(app);
    const path = evidencePath(agent.commitment);
    const { source_type, payload, signature } = signedEvidence(agent, 'github_commit_payload', {
      sha: 'a'.repeat(40),
      commit: {},
    });
    const forged = { source_type, payload, signature: '0'.repeat(128) };
    const used = async () =>
      Object((await app.own.get('/api/v1/operator/status')).body.quota).writes_per_minute;
    expect(await used()).toEqual({ used: 0, limit: 5 });
    expect((await app.own.post(path, { source_type, payload, signature })).status).toBe(201);
    expect((await app.own.post(path, { source_type, payload: {}, signature })).status).toBe(400);
    for (let turn = 0; turn < 3; turn++) expect((await app.own.post(path, forged)).status).toBe(401);
    expect(await used()).toEqual({ used: 5, limit: 5 });
    for (const body of [forged, { source_type, payload: {}, signature }]) {
      const refused = await app.own.post(path, body);
      expect([refused.status, refused.body.reason_code]).toEqual([429, 'rate_limit_exceeded']);
      expect(Number(refused.headers.get('retry-after'))).toBeWithin(1, 61);
    }
    expect(await used()).toEqual({ used: 5, limit: 5 });
  });

  test('is examined no more often than there are writes left, even many at once', async () => {
    app = await openTrustApp({ rate_limits: 'on', 'quotas.other.writes_per_minute': '5' });
    const agent = await enrolledAgent(app);
    const payload = { sha: 'a'.repeat(40), commit: {} };
    const forged = { source_type: 'github_commit_payload', payload, signature: '0'.repeat(128) };
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => app.own.post(evidencePath(agent.commitment), forged)),
    );
    const statuses = responses.map(({ status }) => status).sort();
    expect(statuses).toEqual([...Array(5).fill(401), ...Array(15).fill(429)]);
  });

  test('counts for the operator whose key brought it, not for the sponsor of the agent', async () => {
    app = await openTrustApp({ rate_limits: 'on', 'quotas.other.writes_per_minute': '1' });
    const agent = await enrolledAgent(app);
    const good = signedEvidence(agent, 'github_commit_payload', { sha: 'b'.repeat(40), commit: {} });
    const path = evidencePath(agent.commitment);
    const other = client(app.fetch, 'http://localhost', app.otherKey);
    expect((await other.post(path, { ...good, signature: '0'.repeat(128) })).status).toBe(401);
    expect((await other.post(path, good)).status).toBe(429);
    expect((await app.own.post(path, good)).status).toBe(201);
  });
});
