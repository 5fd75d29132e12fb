import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { nativePrimitives } from '../../../../../src/platform/crypto/crypto.ts';
import type { JsonObject, JsonValue } from '../../../../../src/proof/encoding/json.ts';
import { readTrustedKeys } from '../../../../../src/proof/keys/trusted-keys.ts';
import { readLogKeys } from '../../../../../src/proof/log/log-keys.ts';
import { readLogProof } from '../../../../../src/proof/log/log-proof.ts';
import { judge } from '../../../../../src/proof/receipt/verdict.ts';
import { agentAuth, audienceOf } from '../../../../support/agent.ts';
import type { ApiResponse } from '../../../../support/client.ts';
import { journalOf } from '../../../../support/credit-journal.ts';
import { creditedAgent, holderOf } from '../../../../support/credits.ts';
import { ACP, DELIVERABLE, ENGAGEMENTS, type Market, openMarket } from '../../../../support/engagements.ts';

let market: Market;

beforeAll(async () => {
  market = await openMarket({ credits: { promotional: 100_000 } });
});
afterAll(() => market.app.close());

/** A request to hire, with some members changed; undefined removes a member. */
const request = (changes: Record<string, unknown> = {}) => ({
  task_id: `task-${crypto.randomUUID()}`,
  hirer_commitment: market.hirer.commitment,
  worker_commitment: market.worker.commitment,
  amount: 10,
  ...changes,
});

const codeOf = ({ status, body }: ApiResponse) => [
  status,
  body.reason_code,
  Object.keys(Object(body.issues)),
];

test('an engagement is held, delivered by evidence, accepted, and paid with a receipt of the service', async () => {
  const { app, hirer, worker, deliver, read, figures } = market;
  const before = await figures(hirer);
  const terms = request({ description: 'Audit\nthe invoices.', deadline: '2035-01-31T12:00:00+01:00' });
  const { task_id } = terms;
  const hired = await app.own.post(ENGAGEMENTS, terms);
  expect(hired.status).toBe(201);
  expect(hired.body.engagement).toMatchObject({
    task_id,
    purpose: 'engagement',
    status: 'HELD',
    amount: 10,
    portions: { promotional: 10, paid: 0, sandbox: 0 },
    description: 'Audit\nthe invoices.',
    deadline: '2035-01-31T11:00:00.000Z',
    deliverable_digest: null,
    receipt_id: null,
    ended_by: null,
    accept_by: null,
  });
  expect((await figures(hirer)).promotional).toEqual({
    ...before.promotional,
    locked: before.promotional.locked + 10,
    available: before.promotional.available - 10,
  });

  const eventHash = await deliver(worker, task_id);
  const delivered = await read(task_id);
  expect(delivered).toMatchObject({
    status: 'DELIVERED',
    deliverable_digest: DELIVERABLE,
    evidence_event_hash: eventHash,
  });
  expect(Date.parse(String(delivered.accept_by)) - Date.parse(String(delivered.updated_at))).toBe(
    72 * 3_600_000,
  );

  const { status, body } = await app.own.post(`${ENGAGEMENTS}/${task_id}/accept`);
  expect(status).toBe(200);
  const { payout, receipt_id } = body;
  const { transaction_id } = Object(payout);
  expect(body.engagement).toMatchObject({
    status: 'PAID',
    ended_by: 'hirer',
    receipt_id,
    end_transaction_id: transaction_id,
  });
  expect(payout).toMatchObject({ kind: 'ESCROW_RELEASE', amount: 10, to_commitment: worker.commitment });
  expect((await figures(worker)).promotional).toMatchObject({ earned: 10, available: 10 });
  expect((await figures(hirer)).promotional.locked).toBe(before.promotional.locked);

  const receipt = await app.own.get(`/api/v1/receipts/${receipt_id}`);
  expect(receipt.body).toMatchObject({
    operator_id: app.service.firstStart.operatorId,
    agent_id: worker.commitment,
    receipt_type: 'competence',
    status: 'success',
    output_hash: DELIVERABLE,
    input_digest: Object(hired.body.engagement).input_digest,
    authority_scope: `engagement:${task_id}`,
    domain: 'SYSTEM_INTEGRATION',
    error_tranche: 'NONE',
  });
  const { issued_at, expiry } = receipt.body;
  expect(Number(String(expiry).slice(0, 4)) - Number(String(issued_at).slice(0, 4))).toBe(10);
  expect(await verdictOn(app, receipt.body)).toEqual({ verdict: 'valid', proof: 'ok' });

  // From the receipt to the entry of the worker's journal, and back.
  const named = String(receipt.body.authority_scope).slice('engagement:'.length);
  const { end_transaction_id } = await read(named);
  const [entry] = await journalOf(app.other, worker.commitment);
  expect(entry).toMatchObject({ kind: 'ESCROW_RELEASE', amount: 10, reference: task_id, receipt_id });
  expect(String(entry?.entry_id).slice('entry_'.length, -1)).toBe(
    String(end_transaction_id).slice('txn_'.length, -1),
  );
});

/** What a verifier says about a receipt and its proof from the log. */
async function verdictOn({ service, anyone, fetch }: Market['app'], receipt: unknown) {
  await service.trust.log.publisher.publish();
  const document: JsonObject = JSON.parse(JSON.stringify(receipt));
  const published: JsonValue = JSON.parse(
    JSON.stringify((await anyone.get('/api/v1/transparency/keys')).body),
  );
  const path = `http://localhost/api/v1/receipts/${document.receipt_id}/proof`;
  const proof = new Uint8Array(await (await fetch(new Request(path))).arrayBuffer());
  const { verdict, checks } = judge(nativePrimitives, document, {
    keys: readTrustedKeys(nativePrimitives, published),
    now: service.trust.clock.now(),
    proof: {
      proof: readLogProof(nativePrimitives, proof),
      keys: readLogKeys(nativePrimitives, published).trusted,
    },
  });
  return { verdict, proof: checks.proof };
}

describe('a hire with a body that is not valid is refused and locks nothing:', () => {
  test.each<[string, Record<string, unknown>, string]>([
    ['an amount of 0', { amount: 0 }, 'amount'],
    ['a negative amount', { amount: -1 }, 'amount'],
    ['a fraction', { amount: 1.5 }, 'amount'],
    ['an amount as text', { amount: '10' }, 'amount'],
    ['true as an amount', { amount: true }, 'amount'],
    ['2^53', { amount: 2 ** 53 }, 'body'],
    ['an empty task_id', { task_id: '' }, 'task_id'],
    ['a task_id of 129 characters', { task_id: 'x'.repeat(129) }, 'task_id'],
    ['a task_id with a control character', { task_id: 'a\u0000b' }, 'task_id'],
    ['a task_id with a line feed', { task_id: 'a\nb' }, 'task_id'],
    ['a commitment in capitals', { worker_commitment: 'AB'.repeat(32) }, 'worker_commitment'],
    ['a deadline in the past', { deadline: '2020-01-31T12:00:00Z' }, 'deadline'],
    ['a deadline after the year 9999', { deadline: '9999-12-31T23:59:59-12:00' }, 'deadline'],
    ['a deadline that is no date', { deadline: '2035-02-30T12:00:00Z' }, 'deadline'],
    ['a task_id that no path can have', { task_id: '..' }, 'task_id'],
    ['an empty description', { description: '' }, 'description'],
    ['a description of 4097 characters', { description: 'x'.repeat(4097) }, 'description'],
    ['an unknown member', { fee: 1 }, 'fee'],
  ])('%s', async (_, changes, field) => {
    const { app, hirer, figures } = market;
    const before = await figures(hirer);
    const answer = await app.own.post(ENGAGEMENTS, request(changes));
    expect([answer.status, field === 'body' ? 'body' : Object.keys(Object(answer.body.issues))[0]]).toEqual([
      400,
      field,
    ]);
    expect(await figures(hirer)).toEqual(before);
  });

  test('an amount of 0, in the words that credits use', async () => {
    const answer = await market.app.own.post(ENGAGEMENTS, request({ amount: 0 }));
    expect(answer.body.issues).toEqual({ amount: ['must be an integer from 1 to 9007199254740991'] });
  });

  test('the hirer as its own worker', async () => {
    const answer = await market.app.own.post(
      ENGAGEMENTS,
      request({ worker_commitment: market.hirer.commitment }),
    );
    expect(codeOf(answer)).toEqual([400, 'validation_error', ['worker_commitment']]);
  });
});

describe('a hire is refused', () => {
  test('with a task_id that another task has, also of ACP and also after it ended', async () => {
    const { app, hire, hirer, worker } = market;
    const task_id = await hire(hirer, worker);
    await app.own.post(`${ENGAGEMENTS}/${task_id}/cancel`);
    expect(codeOf(await app.own.post(ENGAGEMENTS, request({ task_id })))).toEqual([409, 'conflict', []]);
    expect(codeOf(await app.own.post(ACP, request({ task_id })))).toEqual([409, 'conflict', []]);
  });

  test('for an agent that never enrolled, on either side', async () => {
    const unknown = 'ab'.repeat(32);
    for (const changes of [{ hirer_commitment: unknown }, { worker_commitment: unknown }])
      expect(codeOf(await market.app.own.post(ENGAGEMENTS, request(changes)))).toEqual([
        403,
        'agent_not_enrolled',
        [],
      ]);
  });

  test('for more credits than the hirer has', async () => {
    const { app, figures, hirer } = market;
    const { available } = (await figures(hirer)).promotional;
    expect(codeOf(await app.own.post(ENGAGEMENTS, request({ amount: available + 1 })))).toEqual([
      402,
      'insufficient_credits',
      [],
    ]);
  });

  test('by a key that may not debit the hirer, and without a key or a signature', async () => {
    const { app } = market;
    expect(codeOf(await app.other.post(ENGAGEMENTS, request()))).toEqual([403, 'forbidden', []]);
    expect(codeOf(await app.anyone.post(ENGAGEMENTS, request()))).toEqual([401, 'unauthorized', []]);
  });

  test('by a holder key whose spending scope is smaller', async () => {
    const holder = await holderOf(market.app, market.hirer, { scope: { max_credits: 9 } });
    expect(codeOf(await holder.post(ENGAGEMENTS, request()))).toEqual([402, 'scope_violation', []]);
    expect((await holder.post(ENGAGEMENTS, request({ amount: 9 }))).status).toBe(201);
  });
});

test('an agent hires and accepts by its signature without a key, and no signature is valid twice or on another path', async () => {
  const { app, hirer, worker, deliver } = market;
  const audience = await audienceOf(app);
  const signed = (path: string, body: Parameters<typeof agentAuth>[1]['body']) => ({
    ...body,
    agent_auth: agentAuth(hirer, { method: 'POST', path, body, audience }),
  });
  const body = request();
  const hiring = signed(ENGAGEMENTS, body);
  expect((await app.anyone.post(ENGAGEMENTS, hiring)).status).toBe(201);
  expect(codeOf(await app.anyone.post(ENGAGEMENTS, hiring))).toEqual([409, 'nonce_reused', []]);
  expect(codeOf(await app.anyone.post(ACP, hiring))).toEqual([401, 'invalid_proof', []]);
  await deliver(worker, body.task_id);
  const path = `${ENGAGEMENTS}/${body.task_id}/accept`;
  const stranger = await creditedAgent(app);
  const foreign = { agent_auth: agentAuth(stranger, { method: 'POST', path, body: {}, audience }) };
  expect(codeOf(await app.anyone.post(path, foreign))).toEqual([404, 'not_found', []]);
  expect(codeOf(await app.anyone.post(`${path}?a=1`, signed(path, {})))).toEqual([
    400,
    'validation_error',
    ['agent_auth'],
  ]);
  expect((await app.anyone.post(path, signed(path, {}))).status).toBe(200);
});

test('no signature shows a stranger who the parties of an engagement are', async () => {
  const { app, hirer, worker, hire, deliver } = market;
  const audience = await audienceOf(app);
  const task = await hire(hirer, worker);
  await deliver(worker, task);
  const path = `${ENGAGEMENTS}/${task}/accept`;
  const stranger = await creditedAgent(app);
  const accept = async (named: typeof stranger, by: typeof stranger) => {
    const auth = agentAuth(
      { ...by, commitment: named.commitment },
      { method: 'POST', path, body: {}, audience },
    );
    const { status, body } = await app.anyone.post(path, { agent_auth: auth });
    return [status, body.reason_code, body.error];
  };
  const answers = [];
  for (const named of [stranger, worker, hirer]) {
    const by = named === stranger ? hirer : stranger;
    answers.push(await accept(named, by));
  }
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
  expect(answers[0]?.slice(0, 2)).toEqual([401, 'invalid_proof']);
  // The other party knows them.
  expect((await accept(worker, worker)).slice(0, 2)).toEqual([403, 'forbidden']);
  expect((await accept(hirer, hirer))[0]).toBe(200);
});

describe('keys of', () => {
  test('both sides read an engagement, and others get 404', async () => {
    const { app, hire, hirer, worker } = market;
    const path = `${ENGAGEMENTS}/${await hire(hirer, worker)}`;
    const own = await holderOf(app, hirer);
    const stranger = await holderOf(app, await creditedAgent(app));
    const statuses: number[] = [];
    for (const by of [app.own, app.other, own, stranger, app.anyone])
      statuses.push((await by.get(path)).status);
    expect(statuses).toEqual([200, 200, 200, 404, 401]);
    expect((await app.own.get(`${ENGAGEMENTS}/unknown`)).status).toBe(404);
  });

  test('the hirer cancel and accept, keys of the worker refund, and strangers get 404', async () => {
    const { app, hire, hirer, worker, deliver } = market;
    const held = `${ENGAGEMENTS}/${await hire(hirer, worker)}`;
    const stranger = await holderOf(app, await creditedAgent(app));
    expect((await stranger.post(`${held}/cancel`)).status).toBe(404);
    expect((await app.other.post(`${held}/cancel`)).status).toBe(403);
    const task = await hire(hirer, worker);
    await deliver(worker, task);
    expect((await app.other.post(`${ENGAGEMENTS}/${task}/accept`)).status).toBe(403);
    expect((await app.own.post(`${ENGAGEMENTS}/${task}/refund`)).status).toBe(403);
    expect((await stranger.post(`${ENGAGEMENTS}/${task}/refund`)).status).toBe(404);
    expect((await app.other.post(`${ENGAGEMENTS}/${task}/refund`)).body.engagement).toMatchObject({
      status: 'CANCELLED',
      ended_by: 'worker',
    });
  });
});

test('the same Idempotency-Key twice at the same moment hires and pays once', async () => {
  const { app, hirer, worker, deliver, figures } = market;
  const body = request();
  const key = { 'idempotency-key': crypto.randomUUID() };
  const before = await figures(hirer);
  const hires = await Promise.all([1, 2, 3].map(() => app.own.post(ENGAGEMENTS, body, key)));
  expect(hires.map(({ status }) => status)).toEqual([201, 201, 201]);
  expect((await figures(hirer)).promotional.available).toBe(before.promotional.available - 10);
  await deliver(worker, body.task_id);
  const path = `${ENGAGEMENTS}/${body.task_id}/accept`;
  const accepts = await Promise.all([1, 2, 3].map(() => app.own.post(path, undefined, key)));
  expect(accepts.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(new Set(accepts.map(({ body: { receipt_id } }) => receipt_id)).size).toBe(1);
});

test('a task_id may have any characters that are not control characters', async () => {
  const { app } = market;
  const task_id = `${crypto.randomUUID()}/..?#%2F &ä${'😀'.repeat(80)}`;
  expect((await app.own.post(ENGAGEMENTS, request({ task_id }))).status).toBe(201);
  const path = `${ENGAGEMENTS}/${encodeURIComponent(task_id)}`;
  expect(Object((await app.own.get(path)).body.engagement).task_id).toBe(task_id);
  expect((await app.own.post(`${path}/cancel`)).status).toBe(200);
});

describe('the list of engagements', () => {
  test('has both sides of an agent, newest first, in pages, by role and status', async () => {
    const { app, hire, hirer } = market;
    const worker = await creditedAgent(app, { sponsor: app.otherId, credits: { promotional: 10 } });
    const tasks: string[] = [];
    for (let index = 0; index < 5; index++) tasks.unshift(await hire(hirer, worker));
    await app.own.post(`${ENGAGEMENTS}/${tasks[0]}/cancel`);
    const list = async (query: string): Promise<unknown[]> => {
      const found: unknown[] = [];
      for (let cursor = ''; ; ) {
        const { status, body } = await app.other.get(
          `${ENGAGEMENTS}?subject_commitment=${worker.commitment}&limit=2${query}${cursor}`,
        );
        expect(status).toBe(200);
        const page = [Object(body).engagements].flat();
        found.push(...page.map(({ task_id }) => task_id));
        if (body.next_cursor === null) return found;
        cursor = `&cursor=${body.next_cursor}`;
      }
    };
    expect(await list('')).toEqual(tasks);
    expect(await list('&role=worker')).toEqual(tasks);
    expect(await list('&role=hirer')).toEqual([]);
    expect(await list('&status=HELD')).toEqual(tasks.slice(1));
    expect(await list('&status=CANCELLED&role=worker')).toEqual(tasks.slice(0, 1));
  });

  test('is seen by those who act for the agent', async () => {
    const { app, hire, hirer, worker } = market;
    const newest = await hire(hirer, worker);
    const holder = await holderOf(app, hirer);
    const { body } = await holder.get(`${ENGAGEMENTS}?subject_commitment=${hirer.commitment}&limit=1`);
    expect(body.engagements).toMatchObject([{ task_id: newest }]);
    expect(codeOf(await app.own.get(ENGAGEMENTS))).toEqual([400, 'validation_error', ['subject_commitment']]);
    const asked = `${ENGAGEMENTS}?subject_commitment=${worker.commitment}`;
    expect((await app.own.get(asked)).status).toBe(403);
    expect((await holder.get(asked)).status).toBe(403);
    expect((await app.own.get(`${ENGAGEMENTS}?subject_commitment=${'ab'.repeat(32)}`)).status).toBe(404);
  });
});
