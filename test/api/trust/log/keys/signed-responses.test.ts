import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JsonObject } from '../../../../../src/proof/encoding/json.ts';
import { enrolledAgent } from '../../../../support/agent.ts';
import type { ApiResponse } from '../../../../support/client.ts';
import { evidencePath } from '../../../../support/evidence.ts';
import { finalized } from '../../../../support/log.ts';
import { isSigned, tampered } from '../../../../support/statements.ts';
import { openTrustApp, type TrustApp } from '../../../../support/trust-app.ts';
import { VirtualTime } from '../../../../support/virtual-time.ts';
import { doneWork, times } from '../../../../support/work.ts';

const time = new VirtualTime();
let app: TrustApp;
let agent: Awaited<ReturnType<typeof enrolledAgent>>;

beforeAll(async () => {
  app = await openTrustApp({}, time);
  agent = await enrolledAgent(app, { name: 'Clerk "€" \u2028' });
  await doneWork(app, agent.commitment, [...times(2, 'failure'), ...times(7, 'success')]);
  await enrolledAgent(app);
  await finalized(app.own);
});
afterAll(() => app.close());

const PROFILE = () => `/api/v1/profiles/${agent.commitment}`;
const LEADERBOARD = () => '/api/v1/leaderboard';
const GATE = () => '/api/v1/gate/verify';
const question = () => ({ operator_id: app.service.firstStart.operatorId, domain: 'CODE_GENERATION' });

type Asking = (query?: string, from?: TrustApp) => Promise<ApiResponse>;
const reading =
  (path: () => string): Asking =>
  (query = '', from = app) =>
    from.anyone.get(`${path()}${query}`);
const gate: Asking = (query = '', from = app) => from.anyone.post(`${GATE()}${query}`, question());

/**
 * Each operation that signs its response on request: how to ask, its type, and the question that the response
 * repeats.
 */
const OPERATIONS: [name: string, asking: Asking, type: string, asked: () => object][] = [
  ['a profile', reading(PROFILE), 'agent-profile', () => ({ subject_commitment: agent.commitment })],
  [
    'a leaderboard',
    reading(LEADERBOARD),
    'leaderboard',
    () => ({ page: { sort: 'evidence', limit: 50, cursor: null } }),
  ],
  ['a gate decision', gate, 'gate-decision', question],
];

describe.each(OPERATIONS)('%s', (_name, asking, type, asked) => {
  test('is not signed by default, and says so', async () => {
    for (const query of ['', '?signed=0']) {
      const { status, body } = await asking(query);
      expect([status, body.signed]).toEqual([200, false]);
      expect(body).not.toContainAnyKeys(['type', 'as_of', 'valid_until', 'page']);
    }
  });

  test('is the same when it is signed, with its type, its question, and its time', async () => {
    const { body: unsigned } = await asking();
    const { status, body: signed } = await asking('?signed=1');
    expect(status).toBe(200);
    expect(signed).toEqual({
      ...unsigned,
      ...asked(),
      signed: true,
      type,
      as_of: new Date(time.now()).toISOString(),
      valid_until: new Date(time.now() + 300_000).toISOString(),
      signature: expect.stringMatching(/^[0-9a-f]{128}$/),
      kid: expect.stringMatching(/^[\w-]{43}$/),
    });
  });

  test('verifies with the published key, and not with any member changed, removed or added', async () => {
    const { kid, ...rest } = (await asking('?signed=1')).body;
    expect(await isSigned(app, { ...rest, kid })).toBe(true);
    const changes = tampered(rest);
    expect(changes.length).toBeGreaterThan(15);
    for (const [path, changed] of changes) {
      expect([path, await isSigned(app, { ...changed, kid })]).toEqual([path, false]);
    }
  });

  test.each(['true', '2', '', '01', '1%20', 'yes'])('refuses signed=%s', async (value) => {
    const { status, body } = await asking(`?signed=${value}`);
    expect([status, body.reason_code, Object.keys(Object(body.issues))]).toEqual([
      400,
      'validation_error',
      ['signed'],
    ]);
  });

  test('refuses two answers to whether it is to be signed', async () => {
    expect((await asking('?signed=0&signed=1')).status).toBe(400);
  });

  test('is not taken for evidence, and without its type it would be', async () => {
    const other = await enrolledAgent(app);
    const said: JsonObject = JSON.parse(JSON.stringify((await asking('?signed=1')).body));
    const { type: _type, ...untyped } = said;
    const send = (members: JsonObject) => {
      const payload = { ...members, sha: 'a'.repeat(40), commit: {} };
      const sent = { source_type: 'github_commit_payload', payload, signature: other.sign(payload) };
      return app.own.post(evidencePath(other.commitment), sent);
    };
    const refused = await send(said);
    expect([refused.status, refused.body.reason_code]).toEqual([400, 'validation_error']);
    expect((await send(untyped)).status).toBe(201);
  });

  test("is refused while the server's clock is known to be wrong, and the unsigned response is not", async () => {
    time.jump(61_000);
    const refused = await asking('?signed=1');
    const unsigned = await asking();
    time.jump(-61_000);
    expect([refused.status, refused.body.reason_code, refused.headers.get('retry-after')]).toEqual([
      503,
      'clock_wrong',
      '60',
    ]);
    expect(unsigned.status).toBe(200);
    expect((await asking('?signed=1')).status).toBe(200);
  });
});

describe('a signed gate decision', () => {
  test('names another operator or domain, so that it does not pass for the decision about this one', async () => {
    const decisions: Record<string, unknown>[] = [];
    for (const operator_id of [app.service.firstStart.operatorId, app.otherId, 'nobody']) {
      for (const domain of ['CODE_GENERATION', 'CUSTOMER_SUPPORT']) {
        const { body } = await app.anyone.post('/api/v1/gate/verify?signed=1', { operator_id, domain });
        expect(body).toMatchObject({ operator_id, domain });
        decisions.push(body);
      }
    }
    const [allowed, ...others] = decisions;
    if (allowed === undefined) throw new Error('no decision');
    expect(allowed).toMatchObject({ allow_invocation: true, reason: 'OK' });
    for (const { operator_id, domain } of others) {
      expect(await isSigned(app, { ...allowed, operator_id, domain })).toBe(false);
    }
  });

  test('repeats an operator_id as it was sent, and refuses one that is no text', async () => {
    for (const operator_id of ['é', 'e\u0301', '"\\\u0000', '𝌆'.repeat(64)]) {
      const asked = { operator_id, domain: 'CODE_GENERATION' };
      const { status, body } = await app.anyone.post('/api/v1/gate/verify?signed=1', asked);
      expect([status, body.operator_id, await isSigned(app, body)]).toEqual([200, operator_id, true]);
    }
    const response = await app.fetch(
      new Request('http://localhost/api/v1/gate/verify?signed=1', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{"operator_id":"\\ud800","domain":"CODE_GENERATION"}',
      }),
    );
    expect(response.status).toBe(400);
  });
});

test('a signed page of the leaderboard names its limit and cursor, so that it does not pass for the first', async () => {
  const { body: first } = await app.anyone.get('/api/v1/leaderboard?signed=1&limit=1');
  const cursor = String(first.next_cursor);
  expect(first.page).toEqual({ sort: 'evidence', limit: 1, cursor: null });
  const { body: second } = await app.anyone.get(`/api/v1/leaderboard?signed=1&limit=1&cursor=${cursor}`);
  expect([second.page, await isSigned(app, second)]).toEqual([{ sort: 'evidence', limit: 1, cursor }, true]);
  expect(await isSigned(app, { ...second, page: first.page })).toBe(false);
  const bad = await app.anyone.get('/api/v1/leaderboard?signed=1&cursor=x');
  expect([bad.status, Object.keys(Object(bad.body.issues))]).toEqual([400, ['cursor']]);
});

test('nothing is signed about an agent that is not there', async () => {
  expect((await app.anyone.get(`/api/v1/profiles/${'0'.repeat(64)}?signed=1`)).body.reason_code).toBe(
    'not_found',
  );
});

test('a public manifest is never signed: its query has no `signed`', async () => {
  const path = `/api/v1/receipts/rcpt_${'0'.repeat(32)}/public-manifest`;
  const { status, body } = await app.anyone.get(`${path}?signed=1`);
  expect([status, Object.keys(Object(body.issues))]).toEqual([400, ['signed']]);
});

test('a server that only reads signs none of them, and answers them unsigned', async () => {
  const root = mkdtempSync(join(tmpdir(), 'countersign-signed-'));
  const data = join(root, 'data');
  try {
    const writing = await openTrustApp({}, null, data);
    const kept = await enrolledAgent(writing);
    await writing.close();
    const reader = await openTrustApp({ read_only: 'on' }, null, data);
    try {
      for (const path of [`/api/v1/profiles/${kept.commitment}`, '/api/v1/leaderboard']) {
        const signed = await reader.anyone.get(`${path}?signed=1`);
        expect([path, signed.status, signed.body.reason_code]).toEqual([path, 503, 'storage_unavailable']);
        expect((await reader.anyone.get(path)).body.signed).toBe(false);
      }
      const asked = { operator_id: 'nobody', domain: 'CODE_GENERATION' };
      expect((await reader.anyone.post('/api/v1/gate/verify?signed=1', asked)).status).toBe(503);
      expect((await reader.anyone.post('/api/v1/gate/verify', asked)).body.signed).toBe(false);
    } finally {
      await reader.close();
    }
  } finally {
    rmSync(root, { recursive: true });
  }
});
