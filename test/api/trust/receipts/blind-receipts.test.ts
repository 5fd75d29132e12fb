import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { nativePrimitives } from '../../../../src/platform/crypto/crypto.ts';
import { parseJson } from '../../../../src/proof/encoding/json.ts';
import { readTrustedKeys } from '../../../../src/proof/keys/trusted-keys.ts';
import { judgeText } from '../../../../src/proof/receipt/verdict.ts';
import { type ApiResponse, client, DIGEST, issueBody } from '../../../support/client.ts';
import { openTrustApp, type TrustApp } from '../../../support/trust-app.ts';

const ISSUE = '/api/v1/receipts';
const AGENT = 'ab'.repeat(32);
const SUCCESS = { status: 'success', output_hash: DIGEST };

let app: TrustApp;
let holder: TrustApp['own'];
beforeAll(async () => {
  app = await openTrustApp();
  const made = await app.own.post('/api/v1/operator/api-keys', { role: 'holder', subject_commitment: AGENT });
  holder = client(app.fetch, 'http://localhost', String(made.body.api_key));
});
afterAll(() => app.close());

/**
 * Every way in which a key of the operator gets to see a receipt after its issue; the last one is its end.
 */
const SIGHTS: [string, (caller: TrustApp['own'], id: unknown) => Promise<ApiResponse>][] = [
  ['the receipt', (caller, id) => caller.get(`${ISSUE}/${id}`)],
  ['the list', (caller) => caller.get(`${ISSUE}?agent_id=${AGENT}`)],
  ['its finalization', (caller, id) => caller.finalize(id, SUCCESS)],
  ['a second finalization, which is refused', (caller, id) => caller.finalize(id, SUCCESS)],
  ['its revocation', (caller, id) => caller.revoke(id)],
  ['a second revocation, which is refused', (caller, id) => caller.revoke(id)],
  ['a finalization after it, which is refused', (caller, id) => caller.finalize(id, SUCCESS)],
  ['its versions', (caller, id) => caller.get(`${ISSUE}/${id}/versions`)],
];

describe('the salt of a blind receipt', () => {
  test('is in the response when a holder key issues the receipt, and in no later response to this key', async () => {
    const { status, body } = await holder.issue({ agent_id: AGENT, blind: true });
    expect([status, body.blind_salt]).toEqual([201, expect.stringMatching(/^[0-9a-f]{64}$/)]);
    for (const [name, see] of SIGHTS) {
      const text = JSON.stringify((await see(holder, body.receipt_id)).body);
      expect([name, text.includes(String(body.receipt_id))]).toEqual([name, true]);
      expect([name, text.includes(String(body.blind_salt))]).toEqual([name, false]);
    }
  });

  test('is visible to issuer keys in every receipt, and to no one else in any', async () => {
    const { body } = await app.own.issue({ agent_id: AGENT, blind: true });
    for (const [name, see] of SIGHTS) {
      const seen = (response: ApiResponse) => JSON.stringify(response.body).includes(String(body.blind_salt));
      expect([name, seen(await see(app.other, body.receipt_id))]).toEqual([name, false]);
      expect([name, seen(await see(app.anyone, body.receipt_id))]).toEqual([name, false]);
      expect([name, seen(await see(app.own, body.receipt_id))]).toEqual([name, true]);
    }
    for (const path of ['public-manifest', 'status']) {
      const answer = await app.anyone.get(`${ISSUE}/${body.receipt_id}/${path}`);
      expect([answer.status, JSON.stringify(answer.body)]).toEqual([
        200,
        expect.not.stringContaining(String(body.blind_salt)),
      ]);
    }
  });

  test('is null in a replay of any response, is not stored for one, and is never logged', async () => {
    for (const caller of [app.own, holder]) {
      const issued = await caller.post(ISSUE, issueBody({ agent_id: AGENT, blind: true }), {
        'idempotency-key': 'first',
      });
      const salt = String(issued.body.blind_salt);
      expect(salt).toMatch(/^[0-9a-f]{64}$/);
      const again = (path: string, body: unknown, key: string) =>
        caller.post(path, body, { 'idempotency-key': key });
      const path = `${ISSUE}/${issued.body.receipt_id}`;
      await again(`${path}/finalize`, SUCCESS, 'second');
      await again(`${path}/revoke`, {}, 'third');
      const replays = [
        await again(ISSUE, issueBody({ agent_id: AGENT, blind: true }), 'first'),
        await again(`${path}/finalize`, SUCCESS, 'second'),
        await again(`${path}/revoke`, {}, 'third'),
      ];
      expect(replays[0]?.body).toEqual({ ...issued.body, blind_salt: null });
      for (const { headers, body } of replays) {
        expect(headers.get('idempotency-replayed')).toBe('true');
        expect(body.blind_salt ?? null).toBeNull();
      }
      const kept = await app.service.trust.store.read(({ connection: { sqlite } }) =>
        sqlite.query<{ answer: string }, []>('SELECT answer FROM idempotency').all(),
      );
      expect(kept.length).toBeGreaterThanOrEqual(3);
      expect(JSON.stringify(kept)).not.toContain(salt);
      expect(app.logged()).not.toContain(salt);
    }
  });

  test('may be null in a document to verify, as in a replay', async () => {
    const ask = () =>
      app.own.post(ISSUE, issueBody({ blind: true }), { 'idempotency-key': 'verified-afterwards' });
    await ask();
    const replay = JSON.stringify((await ask()).body);
    expect(replay).toContain('"blind_salt":null');
    const saved = JSON.stringify((await app.anyone.get('/api/v1/transparency/keys')).body);
    const keys = readTrustedKeys(nativePrimitives, parseJson(saved));
    const options = { keys, now: Date.now(), domain: 'CODE_GENERATION' };
    const { verdict, checks } = judgeText(nativePrimitives, replay, options);
    expect([verdict, checks.hash, checks.domain]).toEqual(['valid', 'ok', 'unchecked']);
  });
});

describe('the domain of a blind receipt', () => {
  test('is a filter by which issuer keys find it and holder keys do not, on any page', async () => {
    const made = await app.own.post('/api/v1/operator/api-keys', {
      role: 'holder',
      subject_commitment: 'cd'.repeat(32),
    });
    const agent = client(app.fetch, 'http://localhost', String(made.body.api_key));
    const issued: { id: unknown; blind: boolean }[] = [];
    for (let turn = 0; turn < 12; turn++) {
      const blind = turn % 3 !== 0;
      const { body } = await agent.issue({
        agent_id: 'cd'.repeat(32),
        domain: 'CUSTOMER_SUPPORT',
        blind,
      });
      issued.unshift({ id: body.receipt_id, blind });
    }
    const found = async (caller: TrustApp['own'], query: string): Promise<unknown[]> => {
      const ids: unknown[] = [];
      for (let cursor: unknown = ''; cursor !== null; ) {
        const page = `${ISSUE}?limit=3&agent_id=${'cd'.repeat(32)}&${query}${cursor === '' ? '' : `&cursor=${cursor}`}`;
        const { status, body } = await caller.get(page);
        expect(status).toBe(200);
        const rows: unknown[] = Array.isArray(body.receipts) ? body.receipts : [];
        // A page that is short and not the last would tell how many were passed over.
        if (body.next_cursor !== null) expect(rows).toHaveLength(3);
        ids.push(...rows.map((row) => Object(row).receipt_id));
        cursor = body.next_cursor;
      }
      return ids;
    };
    const all = issued.map(({ id }) => id);
    const open = issued.filter(({ blind }) => !blind).map(({ id }) => id);
    expect(await found(app.own, 'domain=CUSTOMER_SUPPORT')).toEqual(all);
    expect(await found(agent, 'domain=CUSTOMER_SUPPORT')).toEqual(open);
    expect(await found(agent, 'domain=CUSTOMER_SUPPORT&status=pending')).toEqual(open);
    expect(await found(agent, 'domain=CODE_GENERATION')).toEqual([]);
    expect(await found(agent, 'status=pending')).toEqual(all);
  });
});
