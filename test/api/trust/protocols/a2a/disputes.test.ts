import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { ENGAGEMENTS, type Market, openMarket } from '../../../../support/engagements.ts';

type Json = Record<string, unknown>;

let market: Market;
beforeAll(async () => {
  market = await openMarket({ credits: { promotional: 100_000 } });
});
afterAll(() => market.app.close());

/** How each generation names the method and writes a part of a message to a task. */
const GENERATIONS = {
  '0.1': (part: Json, id: string, contextId: string) => ({
    method: 'tasks/send',
    params: {
      ...{ id, sessionId: contextId },
      message: { role: 'user', parts: [{ type: 'data' in part ? 'data' : 'text', ...part }] },
    },
  }),
  '0.3': (part: Json, taskId: string | null, contextId: string) => ({
    method: 'message/send',
    params: {
      message: messageOf({ kind: 'data' in part ? 'data' : 'text', ...part }, 'user', taskId, contextId),
    },
  }),
  '1.0': (part: Json, taskId: string | null, contextId: string) => ({
    method: 'SendMessage',
    params: { message: messageOf(part, 'ROLE_USER', taskId, contextId) },
  }),
} as const;
type Generation = keyof typeof GENERATIONS;

const messageOf = (part: Json, role: string, taskId: string | null, contextId: string): Json => ({
  ...{ role, messageId: crypto.randomUUID(), contextId, parts: [part] },
  ...(taskId === null ? {} : { taskId }),
});

/** Sends a message to a task, or with `null` only in its context. @returns state, text and hints of the reply */
async function say(generation: Generation, said: string | Json, taskId: string | null, contextId: string) {
  const part = typeof said === 'string' ? { text: said } : { data: said };
  const request = GENERATIONS[generation](part, taskId ?? '', contextId);
  const call =
    taskId === null && generation !== '0.1' ? GENERATIONS[generation](part, null, contextId) : request;
  const { body } = await market.app.own.post('/api/v1/a2a/tasks', { jsonrpc: '2.0', id: 1, ...call });
  const result = Object(body.result);
  const task = Object(result.task ?? result);
  const { state, message } = Object(task.status);
  const [text, data] = Object(message).parts ?? [];
  return {
    id: String(task.id),
    taskId: String(Object(task.metadata).taskId),
    state: String(state).replace('TASK_STATE_', '').toLowerCase().replace('_', '-'),
    text: String(Object(text).text),
    data: Object(Object(data).data),
  };
}

/** Hires in a context of its own, and delivers. */
async function delivered(generation: Generation) {
  const contextId = crypto.randomUUID();
  const parties = { hirer_commitment: market.hirer.commitment, worker_commitment: market.worker.commitment };
  const first = generation === '0.1' ? crypto.randomUUID() : null;
  const hired = await say(generation, { skill: 'hire_agent', ...parties, amount: 10 }, first, contextId);
  await market.deliver(market.worker, hired.taskId);
  return { ...hired, contextId };
}

const disputeOf = async (taskId: string) => {
  const { status, dispute } = await market.read(taskId);
  return [status, Object(dispute).reason ?? null];
};

describe.each<Generation>(['0.1', '0.3', '1.0'])('a dispute by a message of %s', (generation) => {
  test.each<[string, string | Json, string]>([
    ['data', { action: 'dispute', reason: 'A page is missing.' }, 'A page is missing.'],
    ['data with the skill', { skill: 'hire_agent', action: 'dispute', reason: 'Late.' }, 'Late.'],
    [
      'the word and the reason',
      ' Dispute: a page is missing.\nThe last one. ',
      'a page is missing.\nThe last one.',
    ],
    [
      'a reason that names another skill',
      'dispute: no receipt, and a bad reputation',
      'no receipt, and a bad reputation',
    ],
  ])('is made with %s, and the reply names the task', async (_, said, reason) => {
    const { id, taskId, contextId } = await delivered(generation);
    const reply = await say(generation, said, id, contextId);
    expect(reply).toMatchObject({ id, state: 'working', data: { task_id: taskId, status: 'DISPUTED' } });
    expect(await disputeOf(taskId)).toEqual(['DISPUTED', reason]);
    // The second one changes nothing, and the hirer still can accept.
    const again = await say(generation, { action: 'dispute', reason: 'Another reason' }, id, contextId);
    expect(again.text).toContain('you cannot dispute a task that is DISPUTED');
    expect(await disputeOf(taskId)).toEqual(['DISPUTED', reason]);
    expect(await say(generation, 'accept', id, contextId)).toMatchObject({ id, state: 'completed' });
  });

  test.each<[string, string | Json, string]>([
    ['no reason', 'dispute', '{"action": "dispute", "reason"'],
    ['no reason after the word', 'dispute: ', '{"action": "dispute", "reason"'],
    ['data without a reason', { action: 'dispute' }, '{"action": "dispute", "reason"'],
    ['an empty reason', { action: 'dispute', reason: '' }, 'reason must be 1 to 1024 characters'],
    ['a reason that is too long', `dispute: ${'x'.repeat(1025)}`, 'reason must be 1 to 1024 characters'],
    ['a control character', { action: 'dispute', reason: 'a\u0000b' }, 'reason must be 1 to 1024 characters'],
    ['a reason that is no text', { action: 'dispute', reason: 7 }, 'action must be one of'],
    ['a reason for another action', { action: 'accept', reason: 'fine' }, 'action must be one of'],
    ['another member', { action: 'dispute', reason: 'Late.', amount: 5 }, 'action must be one of'],
    [
      'a refusal that is no true',
      { action: 'dispute', reason: 'Late.', refuse_arbiter: 'yes' },
      'action must be one of',
    ],
    ['a refusal of nobody', { action: 'dispute', reason: 'Late.', refuse_arbiter: true }, 'names no arbiter'],
    ['words around it', 'I think we should dispute: it is late', 'Nothing changed'],
  ])('with %s changes nothing, and the reply says what to send', async (_, said, says) => {
    const { id, taskId, contextId } = await delivered(generation);
    const reply = await say(generation, said, id, contextId);
    expect(reply.state).toBe('input-required');
    expect(reply.text).toContain(says);
    expect(await disputeOf(taskId)).toEqual(['DELIVERED', null]);
  });
});

describe('a dispute by a message', () => {
  test('says which member is missing', async () => {
    const { id, contextId } = await delivered('1.0');
    expect((await say('1.0', 'dispute', id, contextId)).data.missing).toEqual(['action', 'reason']);
  });

  test('refuses the arbiter that the worker named', async () => {
    const contextId = crypto.randomUUID();
    const { hirer, worker, deliverSigned, independentAgent, read } = market;
    const parties = { hirer_commitment: hirer.commitment, worker_commitment: worker.commitment };
    const hired = await say('1.0', { skill: 'hire_agent', ...parties, amount: 10 }, null, contextId);
    const { commitment } = await independentAgent();
    await deliverSigned(worker, hired.taskId, { arbiter_commitment: commitment });
    const said = { action: 'dispute', reason: 'Late.', refuse_arbiter: true };
    expect((await say('1.0', said, hired.id, contextId)).data).toMatchObject({ status: 'DISPUTED' });
    expect((await read(hired.taskId)).dispute).toMatchObject({ arbiter_refused: true });
  });

  test('without the id of the task is about the only one of the context', async () => {
    const { id, taskId, contextId } = await delivered('1.0');
    const reply = await say('1.0', 'dispute: the receipt is missing', null, contextId);
    expect(reply).toMatchObject({ id, data: { task_id: taskId, status: 'DISPUTED' } });
  });

  test('before the delivery, and after the end, changes nothing', async () => {
    const contextId = crypto.randomUUID();
    const parties = {
      hirer_commitment: market.hirer.commitment,
      worker_commitment: market.worker.commitment,
    };
    const hired = await say('1.0', { skill: 'hire_agent', ...parties, amount: 10 }, null, contextId);
    const early = await say('1.0', 'dispute: too slow', hired.id, contextId);
    expect(early).toMatchObject({ state: 'working', data: { status: 'HELD' } });
    expect(early.text).toContain('you cannot dispute before the worker has delivered');
    await market.deliver(market.worker, hired.taskId);
    await market.app.own.post(`${ENGAGEMENTS}/${hired.taskId}/accept`);
    await say('1.0', 'dispute: too late', hired.id, contextId);
    expect(await disputeOf(hired.taskId)).toEqual(['PAID', null]);
  });

  test('sent sixteen times at once disputes once', async () => {
    const { id, taskId, contextId } = await delivered('1.0');
    const replies = await Promise.all(
      Array.from({ length: 16 }, (_, n) => say('1.0', `dispute: reason ${n}`, id, contextId)),
    );
    const [status, reason] = await disputeOf(taskId);
    expect([status, String(reason)]).toEqual(['DISPUTED', expect.stringMatching(/^reason \d+$/)]);
    expect(replies).toHaveLength(16);
  });
});
