import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { sha256Hex } from '../../../../src/platform/crypto/crypto.ts';
import { createOperator } from '../../../../src/trust/operators/create-operator.ts';
import type { NewApiKey } from '../../../../src/trust/operators/schema.ts';
import { A2A, a2aClient } from '../../../support/a2a.ts';
import { Visitor } from '../../../support/account.ts';
import { newAgentKey } from '../../../support/agent.ts';
import { createKeyFor } from '../../../support/api-keys.ts';
import { type ApiResponse, client, DIGEST, issueBody } from '../../../support/client.ts';
import { creditedAgent } from '../../../support/credits.ts';
import { keyedWrites, writesNotRefused } from '../../../support/keyed-writes.ts';
import { duringTheRequest } from '../../../support/late-body.ts';
import { pastTriggers } from '../../../support/tampering.ts';
import { openTrustApp, type TrustApp } from '../../../support/trust-app.ts';
import { VirtualTime } from '../../../support/virtual-time.ts';

const KEYS = '/api/v1/operator/api-keys';
const SESSION = '/api/v1/operator/session';
const SUCCESS = { status: 'success', output_hash: DIGEST };
const AGENT = 'ef'.repeat(32);
const ENDED = [403, 'scope_ended'];
const PROOF = { 'x-requested-with': 'test' };

const time = new VirtualTime();
let app: TrustApp;
/** The operator of the keys. */
let id: string;
beforeAll(async () => {
  app = await openTrustApp({}, time);
});
afterAll(() => app.close());
beforeEach(async () => {
  id = (await createOperator(app.service.trust, { name: null, admin: false })).operator_id;
});

const as = (key: string) => client(app.fetch, 'http://localhost', key);
const codeOf = ({ status, body }: Pick<ApiResponse, 'status' | 'body'>): unknown[] => [
  status,
  body.reason_code,
];
const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

/** A key of the operator. */
const made = async (request: NewApiKey = {}): Promise<string> =>
  String((await createKeyFor(app.service.trust, id, request)).api_key);
/** A key whose scope ends in a second. */
const ending = (request: NewApiKey = {}): Promise<string> =>
  made({ ...request, scope: { expires_at: new Date(time.now() + 1000).toISOString() } });
const end = async (): Promise<void> => time.advance(1000);
const deletion = (by: string, target: string) => as(by).call('DELETE', `${KEYS}/${sha256Hex(target)}`);
async function sessionOf(key: string): Promise<string> {
  const { headers } = await as(key).post(SESSION);
  return String(headers.get('set-cookie')).split(';')[0] ?? '';
}

describe('a key whose scope has ended', () => {
  test.each<[string, NewApiKey]>([
    ['an issuer key', {}],
    ['a holder key', { role: 'holder', subject_commitment: AGENT }],
    ['an admin key', { admin: true }],
  ])('is refused every write but ending what is its own, as %s', async (_what, request) => {
    const key = await ending(request);
    await end();
    const writes = await keyedWrites(app);
    expect(writes.length).toBeGreaterThan(25);
    // Nothing exists under this id, and there is no session, so these three are 404.
    expect(await writesNotRefused(as(key), writes, AGENT, 'scope_ended')).toEqual([
      'DELETE /api/v1/operator/session',
      'POST /api/v1/receipts/{id}/finalize',
      'POST /api/v1/receipts/{id}/revoke',
    ]);
  });

  test('says when it ended, and what the key can still do', async () => {
    const ends = new Date(time.now() + 1000).toISOString();
    const key = await ending();
    await end();
    const { status, body } = await as(key).issue();
    expect([status, body]).toEqual([
      403,
      {
        error:
          `The scope of this key ended at ${ends}. The key can still read, finalize and revoke the receipts that it issued, and ` +
          'delete itself. Use another key.',
        reason_code: 'scope_ended',
        request_id: expect.any(String),
      },
    ]);
  });

  test('reads, even by operations that are POST', async () => {
    const key = await ending();
    const agent = await creditedAgent(app, { sponsor: id, credits: { promotional: 5 } });
    const task = await a2aClient(app.fetch, 'http://localhost', key).send([{ text: 'verify a receipt' }]);
    await end();
    const reads: Promise<ApiResponse>[] = [
      as(key).get('/api/v1/receipts'),
      as(key).get(KEYS),
      as(key).get('/api/v1/operator/status'),
      as(key).get('/api/v1/webhooks'),
      // The wallet of the agent is not made by this read.
      as(key).get(`/api/v1/agent-pay/wallet?subject_commitment=${agent.commitment}`),
      as(key).post('/api/v1/gate/verify', { operator_id: id, domain: 'CODE_GENERATION' }),
      as(key).post(A2A, { jsonrpc: '2.0', id: 1, method: 'tasks/list' }),
      as(key).post(A2A, { jsonrpc: '2.0', id: 1, method: 'GetTask', params: { id: task.id } }),
    ];
    const responses = await Promise.all(reads);
    expect(responses.map(({ status }) => status)).toEqual(reads.map(() => 200));
    expect(responses.slice(-2).map(({ body }) => body.error)).toEqual([undefined, undefined]);
  });

  test('makes no wallet of its operator, and reads the one that another key made', async () => {
    const [key, other] = [await ending(), await made()];
    await end();
    expect(codeOf(await as(key).get('/api/v1/account/wallet'))).toEqual(ENDED);
    const wallet = (await as(other).get('/api/v1/account/wallet')).body;
    expect((await as(key).get('/api/v1/account/wallet')).body).toEqual(wallet);
  });

  test('sends nothing by A2A, alone and in a batch', async () => {
    const key = await ending();
    await end();
    const message = { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'verify a receipt' }] };
    const send = { jsonrpc: '2.0', id: 1, method: 'SendMessage', params: { message } };
    const list = { jsonrpc: '2.0', id: 2, method: 'tasks/list' };
    expect(codeOf(await as(key).post(A2A, send))).toEqual(ENDED);
    expect(codeOf(await as(key).post(A2A, [list, send]))).toEqual(ENDED);
  });

  test('finalizes and revokes the receipts that it issued, and no other', async () => {
    const [key, other] = [await ending(), await made()];
    const own = [(await as(key).issue()).body.receipt_id, (await as(key).issue()).body.receipt_id];
    const others = (await as(other).issue()).body.receipt_id;
    const done = (await as(other).issue()).body.receipt_id;
    await as(other).finalize(done, SUCCESS);
    await end();
    expect((await as(key).finalize(own[0], SUCCESS)).status).toBe(200);
    for (const receipt of own) expect((await as(key).revoke(receipt)).status).toBe(200);
    expect(codeOf(await as(key).revoke(own[0]))).toEqual([409, 'receipt_already_revoked']);
    for (const receipt of [others, done]) {
      expect(codeOf(await as(key).finalize(receipt, SUCCESS))).toEqual(ENDED);
      expect(codeOf(await as(key).revoke(receipt))).toEqual(ENDED);
    }
    expect((await as(other).get(`/api/v1/receipts/${others}`)).body).toMatchObject({
      status: 'pending',
      revocation_status: 'active',
    });
    expect((await as(other).finalize(others, SUCCESS)).status).toBe(200);
  });

  test('finalizes and revokes no receipt of a time when the issuing key was not stored', async () => {
    const key = await ending();
    const [first, second] = [
      (await as(key).issue()).body.receipt_id,
      (await as(key).issue()).body.receipt_id,
    ];
    await app.service.trust.store.writeAsService(({ connection: { sqlite } }) => {
      pastTriggers(sqlite, 'receipt', () => void sqlite.run('UPDATE receipt SET api_key_seq = NULL'));
    });
    expect((await as(key).finalize(first, SUCCESS)).status).toBe(200);
    await end();
    expect(codeOf(await as(key).finalize(second, SUCCESS))).toEqual(ENDED);
    expect(codeOf(await as(key).revoke(first))).toEqual(ENDED);
  });

  test('finalizes as a holder key what it issued for its agent', async () => {
    const request: NewApiKey = { role: 'holder', subject_commitment: AGENT };
    const [key, other] = [await ending(request), await made(request)];
    const own = (await as(key).issue({ agent_id: AGENT })).body.receipt_id;
    const others = (await as(other).issue({ agent_id: AGENT })).body.receipt_id;
    await end();
    expect(codeOf(await as(key).finalize(others, SUCCESS))).toEqual(ENDED);
    expect((await as(key).finalize(own, SUCCESS)).status).toBe(200);
    expect((await as(key).revoke(own)).status).toBe(200);
  });

  test('finds no receipt of another operator', async () => {
    const key = await ending();
    const { receipt_id } = (await app.own.issue()).body;
    await end();
    expect(codeOf(await as(key).revoke(receipt_id))).toEqual([404, 'receipt_not_found']);
  });

  test.each<[string, NewApiKey]>([
    ['an issuer key', {}],
    ['a holder key', { role: 'holder', subject_commitment: AGENT }],
  ])('deletes itself, and no other key, as %s', async (_what, request) => {
    const [key, same] = [await ending(request), await ending(request)];
    await end();
    expect(codeOf(await deletion(key, same))).toEqual(ENDED);
    expect(codeOf(await deletion(key, 'pp_'))).toEqual(ENDED);
    expect((await deletion(key, key)).status).toBe(200);
    expect((await as(key).get('/api/v1/receipts')).status).toBe(401);
  });

  test('does not count as an issuer key that is left, since it can make no other', async () => {
    const operator = await createOperator(app.service.trust, { name: null, admin: false });
    const [first, hash] = [operator.api_key, sha256Hex(operator.api_key)];
    const zoned = new Date(time.now() + 1000 + 2 * 3_600_000).toISOString().replace('Z', '+02:00');
    const ended = await createKeyFor(app.service.trust, operator.operator_id, {
      scope: { expires_at: zoned },
    });
    const limited = await createKeyFor(app.service.trust, operator.operator_id, {
      scope: { max_credits: 0 },
    });
    await end();
    expect((await deletion(first, limited.api_key)).status).toBe(200);
    expect(codeOf(await deletion(first, first))).toEqual([409, 'conflict']);
    expect((await deletion(ended.api_key, ended.api_key)).status).toBe(200);
    const later = await createKeyFor(app.service.trust, operator.operator_id, {
      scope: { expires_at: new Date(time.now() + 1000).toISOString() },
    });
    expect((await as(later.api_key).call('DELETE', `${KEYS}/${hash}`)).status).toBe(403);
    expect((await deletion(first, first)).status).toBe(200);
    await end();
    // The last of all issuer keys stays, even after its end.
    expect(codeOf(await deletion(later.api_key, later.api_key))).toEqual([409, 'conflict']);
  });

  test('is deleted by any issuer key without a scope', async () => {
    const [key, other] = [await ending(), await made()];
    await end();
    expect((await deletion(other, key)).status).toBe(200);
  });

  test('gets the first response again only for what it could still do', async () => {
    const key = await ending();
    const headers = { 'idempotency-key': 'once' };
    const issued = await as(key).post('/api/v1/receipts', issueBody(), headers);
    const path = `/api/v1/receipts/${issued.body.receipt_id}/finalize`;
    const finalized = await as(key).post(path, SUCCESS, headers);
    await end();
    expect(codeOf(await as(key).post('/api/v1/receipts', issueBody(), headers))).toEqual(ENDED);
    expect(await as(key).post(path, SUCCESS, headers)).toMatchObject({ status: 200, body: finalized.body });
  });

  test('has ended from the millisecond on that its scope names', async () => {
    const key = await ending();
    time.advance(999);
    expect((await as(key).issue()).status).toBe(201);
    time.advance(1);
    expect(codeOf(await as(key).issue())).toEqual(ENDED);
  });
});

describe('a session', () => {
  const withCookie = (cookie: string) => (method: string, path: string, body?: object) =>
    app.anyone.call(method, path, body, { cookie, ...PROOF });

  test('of a key whose scope has ended may do what the key may', async () => {
    const key = await ending();
    const call = withCookie(await sessionOf(key));
    const { receipt_id } = (await call('POST', '/api/v1/receipts', issueBody())).body;
    await end();
    expect((await call('GET', KEYS)).status).toBe(200);
    expect(codeOf(await call('POST', '/api/v1/receipts', issueBody()))).toEqual(ENDED);
    expect((await call('POST', `/api/v1/receipts/${receipt_id}/finalize`, SUCCESS)).status).toBe(200);
    expect((await call('DELETE', `${KEYS}/${sha256Hex(key)}`)).status).toBe(200);
    expect((await call('GET', KEYS)).status).toBe(401);
  });

  test('of a key whose scope has ended can be ended, even in a browser', async () => {
    const key = await ending();
    const call = withCookie(await sessionOf(key));
    const person = new Visitor(app.fetch);
    await person.logIn(key);
    await end();
    expect((await call('DELETE', SESSION)).status).toBe(200);
    expect((await call('GET', KEYS)).status).toBe(401);
    const out = await person.send('/account/logout');
    expect([out.status, out.location, person.cookies.size]).toEqual([303, '/account', 0]);
    expect((await as(key).get(KEYS)).status).toBe(200);
  });

  test('is not opened by a key whose scope has ended, even in a browser, which says why', async () => {
    const key = await ending();
    await end();
    expect(codeOf(await as(key).post(SESSION))).toEqual(ENDED);
    const page = await new Visitor(app.fetch).logIn(key);
    expect([page.status, page.text]).toEqual([
      403,
      expect.stringContaining('The scope of this key ended at '),
    ]);
  });
});

describe('while a request is under way, the scope of its key ends:', () => {
  const during = async (
    key: string,
    path: string,
    body: unknown,
    headers: Record<string, string> = bearer(key),
  ) => codeOf(await duringTheRequest(app.fetch, { method: 'POST', path, body, headers }, end));

  test('a receipt is not issued', async () => {
    const key = await ending();
    // The check of a key that has written before is cached.
    await as(key).issue();
    expect(await during(key, '/api/v1/receipts', issueBody())).toEqual(ENDED);
    expect(Object((await as(key).get('/api/v1/receipts')).body).receipts).toHaveLength(1);
  });

  test('a receipt is not issued by a session', async () => {
    const key = await ending();
    const headers = { cookie: await sessionOf(key), ...PROOF };
    expect(await during(key, '/api/v1/receipts', issueBody(), headers)).toEqual(ENDED);
  });

  test('credits are not moved', async () => {
    const payer = await creditedAgent(app, { sponsor: id, credits: { promotional: 5 } });
    const payee = await creditedAgent(app);
    const key = await ending();
    const body = { from_commitment: payer.commitment, to_commitment: payee.commitment, amount: 1 };
    expect(await during(key, '/api/v1/passport/credits/transfers', body)).toEqual(ENDED);
  });

  test('a receipt that it issued is finalized, and another one is not', async () => {
    const key = await ending();
    const own = (await as(key).issue()).body.receipt_id;
    expect((await during(key, `/api/v1/receipts/${own}/finalize`, SUCCESS))[0]).toBe(200);
    const late = await ending();
    const others = (await as(await made()).issue()).body.receipt_id;
    expect(await during(late, `/api/v1/receipts/${others}/finalize`, SUCCESS)).toEqual(ENDED);
  });

  test('a batch of A2A calls with a message is refused', async () => {
    const key = await ending();
    const message = { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'verify a receipt' }] };
    const send = { jsonrpc: '2.0', id: 1, method: 'SendMessage', params: { message } };
    expect(await during(key, A2A, [send])).toEqual(ENDED);
  });
});

describe('an enrollment that a key started', () => {
  const AGENTS = '/api/v1/passport/agents/enroll';

  test.each(['the same key', 'another key of the operator', 'no key'])(
    'is not completed after the scope of the key has ended, with %s',
    async (how) => {
      const key = await ending();
      const agent = newAgentKey();
      const { body } = await as(key).post(`${AGENTS}/start`, { public_key: agent.publicKey });
      const completion = {
        subject_commitment: body.subject_commitment,
        signature: agent.signText(String(body.challenge_nonce)),
      };
      await end();
      const by = how === 'no key' ? app.anyone : as(how === 'the same key' ? key : await made());
      expect(codeOf(await by.post(`${AGENTS}/complete`, completion))).toEqual(ENDED);
      expect(
        (await app.anyone.get(`/api/v1/passport/agents/${body.subject_commitment}/passport`)).status,
      ).toBe(404);
    },
  );
});
