import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { a2aClient } from '../../../../support/a2a.ts';
import { createKeyFor } from '../../../../support/api-keys.ts';
import { type Market, openMarket } from '../../../../support/engagements.ts';

type Client = ReturnType<typeof a2aClient>;
type Json = Record<string, unknown>;

let market: Market;
let own: Client;
let contextId: string;
beforeAll(async () => {
  market = await openMarket({ credits: { promotional: 100_000 } });
  own = a2aClient(market.app.fetch, 'http://localhost', market.app.apiKey);
});
beforeEach(() => {
  contextId = `chat-${crypto.randomUUID()}`;
});
afterAll(() => market.app.close());

const terms = (more: Json = {}) => ({
  hirer_commitment: market.hirer.commitment,
  worker_commitment: market.worker.commitment,
  amount: 10,
  ...more,
});
const part = (said: string | Json): Json => (typeof said === 'string' ? { text: said } : { data: said });

/** What a test looks at in a reply. */
interface Reply {
  id: string;
  contextId: string;
  state: string;
  text: string;
  data: Json;
  escrow: string | null;
}

const replyOf = (task: Json): Reply => {
  const { state, message } = Object(task.status);
  const parts: Json[] = Object(message).parts ?? [];
  return {
    id: String(task.id),
    contextId: String(task.contextId),
    state: String(state).replace('TASK_STATE_', ''),
    text: String(parts[0]?.text),
    data: Object(parts[1]?.data),
    escrow: Object(Object(task.metadata).escrow).status ?? null,
  };
};
/** Says something in the context of the test, with nothing else but what is named. */
const say = async (said: string | Json, more: Json = { contextId }, by = own): Promise<Reply> =>
  replyOf(await by.send([part(said)], more));
const hire = (more: Json = {}): Promise<Reply> => say({ skill: 'hire_agent', ...terms(more) });
const delivered = async (more: Json = {}): Promise<Reply> => {
  const reply = await hire(more);
  await market.deliver(market.worker, reply.id);
  return reply;
};
/** Two hires in one context: the terms are sent before either is delivered. */
const twoDelivered = async (): Promise<[Reply, Reply]> => {
  const replies: [Reply, Reply] = [await hire({ amount: 11 }), await hire({ amount: 12 })];
  for (const { id } of replies) await market.deliver(market.worker, id);
  return replies;
};
const look = async (id: string): Promise<string | null> =>
  replyOf(await own.result('GetTask', { id })).escrow;
const lookUp = () => `What is the reputation of ${market.worker.commitment}?`;

describe('a message with only a context', () => {
  test('hires, is told of the delivery and pays, as a chat does', async () => {
    const asked = await say('I want to hire an agent');
    expect(asked.data).toMatchObject({
      skill: 'hire_agent',
      missing: ['worker_commitment', 'amount'],
      open_tasks: [],
    });
    const held = await say(terms());
    expect([held.id, held.escrow]).toEqual([asked.id, 'HELD']);
    await market.deliver(market.worker, held.id);
    const paid = await say('Accept.');
    expect([paid.id, paid.state, paid.escrow]).toEqual([held.id, 'COMPLETED', 'PAID']);
  });

  test.each<[string, string | Json, string]>([
    ['the word cancel', 'cancel', 'CANCELLED'],
    ['the action cancel', { action: 'cancel' }, 'CANCELLED'],
    ['the action in a wrapper', { skill: 'hire_agent', parameters: { action: 'cancel' } }, 'CANCELLED'],
    ['the word among others', 'please cancel', 'HELD'],
    ['another word', 'stop', 'HELD'],
    ['an action and more', { action: 'cancel', now: true }, 'HELD'],
  ])('does by %s what it says to the one open task that works', async (_, said, escrow) => {
    const { id } = await hire();
    await say(said);
    expect(await look(id)).toBe(escrow);
  });

  test.each<[string, string | Json]>([
    ['ok, accept', 'ok, accept'],
    ['accept with a reason', 'accept, because it is good'],
    ['accept in data with more', { action: 'accept', note: 'ok' }],
    ['two data parts', { skill: 'lookup_reputation', action: 'accept' }],
  ])('moves nothing by %s', async (_, said) => {
    const { id } = await delivered();
    await say(said);
    expect(await look(id)).toBe('DELIVERED');
  });

  test('accepts nothing where the chat was about something else meanwhile, until it is asked again', async () => {
    const { id } = await delivered();
    expect((await say(lookUp())).state).toBe('COMPLETED');
    const asked = await say('accept');
    expect([asked.id, asked.escrow]).toEqual([id, 'DELIVERED']);
    expect(asked.text).toContain(`Do you mean ${id}, with 10 credits?`);
    expect(asked.data).toMatchObject({ task_id: id, amount: 10, skill: 'hire_agent', missing: ['action'] });
    expect((await say('accept')).escrow).toBe('PAID');
  });

  test.each<[string, () => Promise<unknown>]>([
    ['a question that ended', () => say(lookUp())],
    ['a question that is open', () => say({ skill: 'check_gate' })],
    [
      'another task that was cancelled',
      async () => {
        const asked = await say({ skill: 'check_gate' });
        await own.result('CancelTask', { id: asked.id });
      },
    ],
  ])('accepts nothing after %s', async (_, before) => {
    const { id } = await delivered();
    await before();
    await say('accept');
    expect(await look(id)).toBe('DELIVERED');
  });

  test('with the terms of another hire says why a delivered one does not take them', async () => {
    const { id } = await delivered();
    const reply = await hire();
    expect([reply.id, reply.escrow]).toEqual([id, 'DELIVERED']);
    expect(reply.text).toBe(
      'Nothing changed: action must be one of accept, refuse, dispute, cancel, decline, without other members but the reason and refuse_arbiter of a dispute. ' +
        'To begin another task, send the message in another context.',
    );
  });

  test('accepts after a restart of the conversation what the reply before it named', async () => {
    const { id } = await delivered();
    await say('what now?');
    const { apiKey } = market.app;
    const again = a2aClient(market.app.fetch, 'http://localhost', apiKey);
    expect((await say('accept', { contextId }, again)).id).toBe(id);
    expect(await look(id)).toBe('PAID');
  });

  test('begins a new task where it names another skill, by a member or by words', async () => {
    const { id } = await delivered();
    const byWords = await say(lookUp());
    const byMember = await say({
      skill: 'lookup_reputation',
      input: { subject_commitment: market.worker.commitment },
    });
    expect([byWords.state, byMember.state]).toEqual(['COMPLETED', 'COMPLETED']);
    expect(new Set([id, byWords.id, byMember.id]).size).toBe(3);
    expect(await look(id)).toBe('DELIVERED');
  });

  test('continues a question with what fits it, and not with what names another skill', async () => {
    const asked = await say('Issue a credential');
    const other = await say(lookUp());
    expect(other.id).not.toBe(asked.id);
    const done = await say({ subject_commitment: 'ab'.repeat(32) });
    expect(done.id).toBe(asked.id);
  });

  test('lists the open tasks where several can be meant, and moves nothing', async () => {
    const [first, second] = await twoDelivered();
    const listed = await say('accept');
    expect(listed.state).toBe('INPUT_REQUIRED');
    expect(listed.text).toContain(`${first.id} (hire_agent, input-required, 11 credits)`);
    expect(listed.data).toMatchObject({
      skill: null,
      missing: ['skill'],
      open_tasks: expect.arrayContaining([
        { task_id: first.id, skill: 'hire_agent', state: 'input-required', amount: 11 },
        { task_id: second.id, skill: 'hire_agent', state: 'input-required', amount: 12 },
      ]),
    });
    // It is the same question, however often it is asked.
    expect((await say('accept')).id).toBe(listed.id);
    expect([await look(first.id), await look(second.id)]).toEqual(['DELIVERED', 'DELIVERED']);
    expect((await say('accept', { contextId, taskId: second.id })).escrow).toBe('PAID');
    // The reply before named the other one.
    expect((await say('accept')).escrow).toBe('DELIVERED');
    expect((await say('accept')).escrow).toBe('PAID');
    expect(await look(first.id)).toBe('PAID');
  });

  test('that means nothing is told of the open task, which it can then act on', async () => {
    const { id } = await hire();
    const listed = await say('hello');
    expect([listed.state, listed.id === id]).toEqual(['INPUT_REQUIRED', false]);
    expect(listed.data.open_tasks).toEqual([
      { task_id: id, skill: 'hire_agent', state: 'working', amount: 10 },
    ]);
    await market.deliver(market.worker, id);
    expect((await say('accept')).id).toBe(id);
    expect(await look(id)).toBe('PAID');
  });

  test('of another caller begins a task of its own', async () => {
    const { id } = await delivered();
    const other = a2aClient(market.app.fetch, 'http://localhost', market.app.otherKey);
    const ofAnother = async (by: typeof own) => say('accept', { contextId, referenceTaskIds: [id] }, by);
    const asked = await ofAnother(other);
    expect([asked.id === id, asked.data.open_tasks]).toEqual([false, []]);
    const { api_key: holder } = await createKeyFor(
      market.app.service.trust,
      market.app.service.firstStart.operatorId,
      { role: 'holder', subject_commitment: market.hirer.commitment },
    );
    // An issuer key began the task, so that a holder key does not have it.
    expect((await ofAnother(a2aClient(market.app.fetch, 'http://localhost', holder))).id).not.toBe(id);
    expect(await look(id)).toBe('DELIVERED');
  });

  test('sent sixteen times at once accepts once', async () => {
    const { id } = await delivered();
    await Promise.all(Array.from({ length: 16 }, () => say('accept')));
    expect(await look(id)).toBe('PAID');
    expect((await market.read(id)).status).toBe('PAID');
  });
});

describe('a message with only referenceTaskIds', () => {
  test('continues the task that it refers to, and pays for it', async () => {
    const { id } = await delivered();
    await say(lookUp());
    const paid = await say('accept', { referenceTaskIds: [id] });
    expect([paid.id, paid.escrow]).toEqual([id, 'PAID']);
  });

  test('cancels the task that works, also beside others of the context', async () => {
    const [first, second] = [await hire(), await hire()];
    expect((await say('cancel', { contextId, referenceTaskIds: [second.id] })).id).toBe(second.id);
    expect([await look(first.id), await look(second.id)]).toEqual(['HELD', 'CANCELLED']);
  });

  test('takes the one that is open, and ignores those that ended or that nobody knows', async () => {
    const done = await say(lookUp());
    const { id } = await delivered();
    const references = [done.id, `a2a_${'0'.repeat(32)}`, 'nothing', id];
    expect((await say('accept', { referenceTaskIds: references })).id).toBe(id);
  });

  test('to several open tasks is told of them', async () => {
    const [first, second] = await twoDelivered();
    const listed = await say('accept', { referenceTaskIds: [first.id, second.id] });
    expect(listed.data.open_tasks).toHaveLength(2);
    expect([await look(first.id), await look(second.id)]).toEqual(['DELIVERED', 'DELIVERED']);
  });
});

describe('data without the name of a skill', () => {
  test.each<[string, () => Json, string, string | null]>([
    ['the terms of a hire', () => terms(), 'WORKING', 'hire_agent'],
    ['some terms of a hire', () => ({ amount: 10 }), 'INPUT_REQUIRED', 'hire_agent'],
    ['a receipt_id', () => ({ receipt_id: 'rcpt_1' }), 'INPUT_REQUIRED', 'verify_receipt'],
    ['an operator and a domain', () => ({ operator_id: 'x', domain: 'y' }), 'INPUT_REQUIRED', 'check_gate'],
    ['an agent, which two skills take', () => ({ subject_commitment: 'x' }), 'INPUT_REQUIRED', null],
    ['members of two skills', () => ({ amount: 10, receipt_id: 'x' }), 'INPUT_REQUIRED', null],
    ['nothing', () => ({}), 'INPUT_REQUIRED', null],
  ])('%s', async (_, data, state, skill) => {
    const task = await own.send([{ data: data() }]);
    const { state: found } = replyOf(task);
    expect([found, Object(task.metadata).skill ?? null]).toEqual([state, skill]);
  });

  test.each(['input', 'parameters'])('in %s is the same as beside the skill', async (wrapper) => {
    const { escrow } = await say({ skill: 'hire_agent', [wrapper]: terms() });
    expect(escrow).toBe('HELD');
  });
});
