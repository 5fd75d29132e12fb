import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { sha256Hex } from '../../../../../src/platform/crypto/crypto.ts';
import { setAccountStatus } from '../../../../../src/trust/pages/dashboard/set-account-status.ts';
import { createKeyFor } from '../../../../support/api-keys.ts';
import type { client } from '../../../../support/client.ts';
import { holderOf } from '../../../../support/credits.ts';
import { type Agent, ENGAGEMENTS, type Market, openMarket } from '../../../../support/engagements.ts';
import { duringTheRequest } from '../../../../support/late-body.ts';
import { accountsOf, byName } from '../../../../support/ledger-accounts.ts';
import { VirtualTime } from '../../../../support/virtual-time.ts';

const PATH = '/api/v1/a2a/tasks';

let time: VirtualTime;
let market: Market;
let sent = 0;

beforeEach(async () => {
  time = new VirtualTime();
  market = await openMarket({ credits: { promotional: 100 } }, time);
});
afterEach(() => market.app.close());

type Caller = ReturnType<typeof client>;
type Part = Record<string, unknown> | string;

/** The JSON-RPC request that sends a message, to a task if one is named. */
function messageRequest(part: Part, taskId?: string) {
  sent++;
  const message = {
    kind: 'message',
    role: 'user',
    messageId: `message-${sent}`,
    ...(taskId === undefined ? {} : { taskId }),
    parts: [typeof part === 'string' ? { kind: 'text', text: part } : { kind: 'data', data: part }],
  };
  return { jsonrpc: '2.0', id: sent, method: 'message/send', params: { message } };
}

/** What a test looks at in a response. */
interface Seen {
  status: number;
  id: string;
  state: string;
  text: string;
  escrow: Record<string, unknown>;
  artifacts: unknown[];
  error: string | null;
}

function seen({ status, body }: { status: number; body: Record<string, unknown> }): Seen {
  const { result, error, reason_code } = body;
  const task = Object(result);
  const failed = error === undefined ? null : (reason_code ?? Object(error).message ?? error);
  return {
    status,
    id: String(task.id),
    state: String(Object(task.status).state),
    text: String(Object(Object(Object(task.status).message).parts?.[0]).text),
    escrow: Object(Object(task.metadata).escrow),
    artifacts: Array.isArray(task.artifacts) ? task.artifacts : [],
    error: failed === null ? null : String(failed),
  };
}

const say = async (part: Part, taskId?: string, by: Caller = market.app.own) =>
  seen(await by.post(PATH, messageRequest(part, taskId)));
const call = async (method: string, id: string, by: Caller = market.app.own) =>
  seen(await by.post(PATH, { jsonrpc: '2.0', id: 1, method, params: { id } }));
const terms = (worker: Pick<Agent, 'commitment'> = market.worker) => ({
  skill: 'hire_agent',
  hirer_commitment: market.hirer.commitment,
  worker_commitment: worker.commitment,
  amount: 10,
});
const accounts = async () => byName(await accountsOf(market.app));

describe('a hire by A2A', () => {
  test('asks for its terms, takes them from the next messages, and follows its escrow to the payment', async () => {
    const asked = await say('I want to hire an agent');
    expect(asked).toMatchObject({
      state: 'input-required',
      text: expect.stringContaining('worker_commitment is required'),
    });
    const { skill: _, amount, ...parties } = terms();
    expect(await say(parties, asked.id)).toMatchObject({
      id: asked.id,
      state: 'input-required',
      text: expect.stringContaining('amount is required'),
    });
    const hired = await say({ amount }, asked.id);
    expect(hired).toMatchObject({ id: asked.id, state: 'working', escrow: { status: 'HELD', amount: 10 } });
    const taskId = String(hired.escrow.task_id);
    await market.deliver(market.worker, taskId);
    expect(await call('tasks/get', asked.id)).toMatchObject({
      state: 'input-required',
      text: expect.stringContaining('Send "accept" to pay 10 credits'),
    });
    const paid = await say('accept', asked.id);
    expect(paid).toMatchObject({ state: 'completed', escrow: { status: 'PAID' } });
    expect(JSON.stringify(paid.artifacts)).toContain(String(paid.escrow.receipt_id));
    expect((await market.app.own.get(`/api/v1/receipts/${paid.escrow.receipt_id}`)).body).toMatchObject({
      authority_scope: `engagement:${taskId}`,
      agent_id: market.worker.commitment,
    });
    expect((await say('accept', asked.id)).error).not.toBeNull();
  });

  test('says that the worker anchored evidence of a failure, and still waits for the work', async () => {
    const { id } = await say(terms());
    time.advance(1000);
    await market.deliver(market.worker, id, { outcome: 'failure' });
    expect(await call('tasks/get', id)).toMatchObject({
      state: 'working',
      text: expect.stringContaining('The worker anchored evidence of a failure.'),
      escrow: { status: 'HELD' },
    });
    await call('tasks/cancel', id);
  });

  test('is failed with its credits back after the deadline', async () => {
    const deadline = new Date(time.now() + 60_000).toISOString();
    const { id } = await say({ ...terms(), deadline });
    time.advance(61_000);
    await market.endDue();
    expect(await call('tasks/get', id)).toMatchObject({ state: 'failed', escrow: { status: 'EXPIRED' } });
    expect((await market.figures(market.hirer)).promotional).toMatchObject({ locked: 0 });
  });

  test('is completed when nobody answers a delivery', async () => {
    const { id, escrow } = await say(terms());
    await market.deliver(market.worker, String(escrow.task_id));
    time.advance(73 * 3_600_000);
    await market.endDue();
    expect(await call('tasks/get', id)).toMatchObject({ state: 'completed', escrow: { status: 'PAID' } });
  });

  test('follows what is done with it by REST', async () => {
    const { id, escrow } = await say(terms());
    await market.app.own.post(`${ENGAGEMENTS}/${escrow.task_id}/cancel`);
    expect(await call('tasks/get', id)).toMatchObject({ state: 'canceled', escrow: { status: 'CANCELLED' } });
  });

  test('is shown and accepted by ACP', async () => {
    const { id, escrow } = await say(terms());
    const path = `/api/v1/acp/task/${escrow.task_id}`;
    await market.deliver(market.worker, String(escrow.task_id));
    expect((await market.app.anyone.get(path)).body).toMatchObject({ status: 'delivered' });
    expect((await market.app.own.post(`${path}/accept`, {})).status).toBe(200);
    expect(await call('tasks/get', id)).toMatchObject({
      state: 'completed',
      text: expect.stringContaining('10 credits were paid to the worker.'),
    });
  });

  test('is canceled with its task until the delivery, and never later', async () => {
    const first = await say(terms());
    expect(await call('tasks/cancel', first.id)).toMatchObject({
      state: 'canceled',
      escrow: { status: 'CANCELLED' },
    });
    const second = await say(terms());
    await market.deliver(market.worker, String(second.escrow.task_id));
    expect((await call('tasks/cancel', second.id)).error).toContain('cannot be canceled');
    expect(await call('tasks/get', second.id)).toMatchObject({ state: 'input-required' });
  });

  test('is rejected for want of credits, and nothing is locked', async () => {
    const before = await accounts();
    expect(await say({ ...terms(), amount: 101 })).toMatchObject({
      state: 'rejected',
      text: expect.stringContaining('credits'),
    });
    expect(await accounts()).toEqual(before);
  });

  test('asks again for an unknown worker, and hires the next one', async () => {
    const asked = await say({ ...terms(), worker_commitment: '0'.repeat(64) });
    expect(asked).toMatchObject({ state: 'input-required' });
    expect(await say({ worker_commitment: market.worker.commitment }, asked.id)).toMatchObject({
      id: asked.id,
      state: 'working',
    });
  });

  test('shows strangers its state and escrow, and no party, word or key', async () => {
    const { id, escrow } = await say({ ...terms(), description: 'a private note' });
    const { status, body } = await market.app.anyone.post(PATH, {
      jsonrpc: '2.0',
      id: 1,
      method: 'tasks/get',
      params: { id },
    });
    expect(status).toBe(200);
    expect(seen({ status, body })).toMatchObject({ state: 'working', escrow });
    const text = JSON.stringify(body);
    for (const secret of [market.hirer.commitment, market.worker.commitment, 'a private note'])
      expect(text).not.toContain(secret);
  });

  test('is hired by a holder key for its own agent only', async () => {
    const holder = await holderOf(market.app, market.hirer);
    const { hirer_commitment: _, ...others } = terms();
    expect(await say(others, undefined, holder)).toMatchObject({ state: 'working' });
    const refused = await say({ ...others, hirer_commitment: market.worker.commitment }, undefined, holder);
    expect(refused.state).not.toBe('working');
  });
});

describe('at the same time:', () => {
  test('sixteen acceptances, cancellations and refunds pay a task once or return it once', async () => {
    for (let round = 0; round < 3; round++) {
      const before = await accounts();
      const { id, escrow } = await say(terms());
      const path = `${ENGAGEMENTS}/${escrow.task_id}`;
      await market.deliver(market.worker, String(escrow.task_id));
      const answers = await Promise.all([
        ...Array.from({ length: 8 }, () => say('accept', id)),
        ...Array.from({ length: 4 }, () => call('tasks/cancel', id)),
        ...Array.from({ length: 4 }, async () => seen(await market.app.own.post(`${path}/accept`, {}))),
        ...Array.from({ length: 4 }, async () => seen(await market.app.other.post(`${path}/refund`, {}))),
      ]);
      expect(answers.every(({ status }) => status === 200 || status === 409)).toBe(true);
      const { state } = await call('tasks/get', id);
      expect(['completed', 'canceled']).toContain(state);
      const after = await accounts();
      if (state === 'canceled') expect(after).toEqual(before);
      else expect(await market.read(String(escrow.task_id))).toMatchObject({ status: 'PAID' });
    }
    expect((await market.figures(market.hirer)).promotional.locked).toBe(0);
  });

  test('the terms sent sixteen times to one task lock its credits once', async () => {
    const { id } = await say('hire an agent, please');
    await Promise.all(Array.from({ length: 16 }, () => say(terms(), id)));
    expect(await call('tasks/get', id)).toMatchObject({ state: 'working' });
    expect((await market.figures(market.hirer)).promotional.locked).toBe(10);
  });

  test('one message sent sixteen times hires once', async () => {
    const request = messageRequest(terms());
    const answers = await Promise.all(Array.from({ length: 16 }, () => market.app.own.post(PATH, request)));
    expect(new Set(answers.map((answer) => seen(answer).id)).size).toBe(1);
    expect((await market.figures(market.hirer)).promotional.locked).toBe(10);
  });

  test('a delivery and a cancellation leave the credits with the worker or the hirer', async () => {
    for (let round = 0; round < 3; round++) {
      const { id, escrow } = await say(terms());
      const taskId = String(escrow.task_id);
      await Promise.all([call('tasks/cancel', id), market.deliver(market.worker, taskId)]);
      const { state } = await call('tasks/get', id);
      expect(state).toBe((await market.read(taskId)).status === 'DELIVERED' ? 'input-required' : 'canceled');
      if (state === 'input-required') await say('accept', id);
    }
    expect((await market.figures(market.hirer)).promotional.locked).toBe(0);
  });
});

describe('a message whose headers came before a change and whose body after it is refused:', () => {
  const changes: readonly (readonly [string, (key: string) => Promise<unknown>])[] = [
    [
      'the deletion of the key',
      (key) => market.app.own.call('DELETE', `/api/v1/operator/api-keys/${sha256Hex(key)}`),
    ],
    [
      'the suspension of the operator',
      () => setAccountStatus(market.app.service.trust, market.app.service.firstStart.operatorId, 'SUSPENDED'),
    ],
    [
      'the revocation of the hirer',
      () => market.app.own.post(`/api/v1/passport/agents/${market.hirer.commitment}/revoke`),
    ],
  ];
  const messages = ['the terms', 'accept', 'cancel'] as const;
  test.each(changes.flatMap(([name, change]) => messages.map((message) => [message, name, change] as const)))(
    '%s, and meanwhile %s',
    async (message, _, change) => {
      const { operatorId } = market.app.service.firstStart;
      const { api_key: key } = await createKeyFor(market.app.service.trust, operatorId, {});
      const { id, escrow } = await say(message === 'the terms' ? 'hire an agent' : terms());
      if (message === 'accept') await market.deliver(market.worker, String(escrow.task_id));
      const before = await accounts();
      const body = messageRequest(message === 'the terms' ? terms() : message, id);
      const headers = { authorization: `Bearer ${key}` };
      const answer = await duringTheRequest(
        market.app.fetch,
        { method: 'POST', path: PATH, body, headers },
        () => change(key),
      );
      expect(seen(answer).state).not.toBe('completed');
      expect(await accounts()).toEqual(before);
    },
  );
});

test('a task of a party that is revoked is canceled with its credits, or paid if it was delivered', async () => {
  const held = await say(terms());
  const delivered = await say(terms());
  await market.deliver(market.worker, String(delivered.escrow.task_id));
  await market.app.other.post(`/api/v1/passport/agents/${market.worker.commitment}/revoke`);
  await market.refundInactive();
  expect(await call('tasks/get', held.id)).toMatchObject({ state: 'canceled' });
  expect(await say('accept', delivered.id)).toMatchObject({ state: 'completed' });
});

describe('the task of a hire', () => {
  const path = (task: Seen, move: string) => `${ENGAGEMENTS}/${task.escrow.task_id}/${move}`;
  const disputed = async () => {
    const { app, worker, deliver } = market;
    const hired = await say(terms());
    await deliver(worker, String(hired.escrow.task_id));
    const { status } = await app.own.post(path(hired, 'dispute'), { reason: 'A page is missing.' });
    expect(status).toBe(200);
    return hired;
  };

  test('that the worker declined is rejected', async () => {
    const hired = await say({ ...terms(), delivery: 'worker' });
    expect(hired.escrow.delivery).toBe('worker');
    expect((await market.app.other.post(path(hired, 'decline'))).status).toBe(200);
    expect(await call('tasks/get', hired.id)).toMatchObject({
      state: 'rejected',
      escrow: { status: 'DECLINED' },
    });
  });

  test('that is disputed is working, cannot be canceled, and is completed by an acceptance', async () => {
    const hired = await disputed();
    expect((await call('tasks/get', hired.id)).state).toBe('working');
    expect((await call('tasks/cancel', hired.id)).error).not.toBeNull();
    expect(await say('accept', hired.id)).toMatchObject({ state: 'completed', escrow: { status: 'PAID' } });
  });

  test.each([
    [4, 'completed'],
    [0, 'failed'],
  ])('of which a decision gave the worker %d credits is %s', async (amount, state) => {
    const hired = await disputed();
    const decision = { worker_amount: amount, note: 'Decided.' };
    expect((await market.app.own.post(path(hired, 'resolve'), decision)).status).toBe(200);
    expect(await call('tasks/get', hired.id)).toMatchObject({
      ...{ state, escrow: { status: 'RESOLVED', worker_amount: amount } },
      text: expect.stringContaining('The dispute was decided'),
    });
  });
});
