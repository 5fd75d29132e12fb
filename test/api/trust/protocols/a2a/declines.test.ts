import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { createOperator } from '../../../../../src/trust/operators/create-operator.ts';
import { a2aClient } from '../../../../support/a2a.ts';
import { createKeyFor } from '../../../../support/api-keys.ts';
import { creditedAgent } from '../../../../support/credits.ts';
import { ENGAGEMENTS, type Market, openMarket } from '../../../../support/engagements.ts';

type Json = Record<string, unknown>;

let market: Market;
/** Clients with the issuer key of the hirer's operator, and that of the worker's. */
let hirer: ReturnType<typeof a2aClient>;
let worker: ReturnType<typeof a2aClient>;

beforeAll(async () => {
  market = await openMarket({ credits: { promotional: 100_000 } });
  const { app } = market;
  hirer = a2aClient(app.fetch, 'http://localhost', app.apiKey);
  worker = a2aClient(app.fetch, 'http://localhost', app.otherKey);
});
afterAll(() => market.app.close());

const text = (said: string) => [{ text: said }];
const stateOf = (task: Json) => Object(task.status).state;
const textOf = (task: Json) => String(Object(Object(Object(task.status).message).parts?.[0]).text);
const dataOf = (task: Json) => Object(Object(task.artifacts)[0]).parts?.[1]?.data ?? null;
const statusOf = async (id: string) => (await market.read(id)).status;

/** Hires by A2A. @returns the id of the task */
async function hire(contextId: string = crypto.randomUUID()): Promise<string> {
  const parties = { hirer_commitment: market.hirer.commitment, worker_commitment: market.worker.commitment };
  const task = await hirer.send([{ data: { skill: 'hire_agent', ...parties, amount: 10 } }], { contextId });
  expect(stateOf(task)).toBe('TASK_STATE_WORKING');
  return String(task.id);
}

describe("the worker's side declines a hire", () => {
  test.each<[string, (id: string) => [Json[], Json]]>([
    ['exactly the word, with a reference', (id) => [text('decline'), { referenceTaskIds: [id] }]],
    ['the word with a point', (id) => [text(' Decline. '), { referenceTaskIds: [id] }]],
    ['the action, with a reference', (id) => [[{ data: { action: 'decline' } }], { referenceTaskIds: [id] }]],
    ['the action and the task', (id) => [[{ data: { action: 'decline', task_id: id } }], {}]],
    ['the skill', (id) => [[{ data: { skill: 'decline_hire', task_id: id } }], {}]],
  ])('by %s', async (_, say) => {
    const id = await hire();
    const [parts, more] = say(id);
    const task = await worker.send(parts, more);
    expect(stateOf(task)).toBe('TASK_STATE_COMPLETED');
    // The task is the worker's own: that of the hirer stays the hirer's.
    expect(task.id).not.toBe(id);
    const { receipt_id } = await market.read(id);
    expect(dataOf(task)).toMatchObject({ task_id: id, status: 'DECLINED', receipt_id });
    expect(await market.read(id)).toMatchObject({ status: 'DECLINED', ended_by: 'worker' });
    expect(stateOf(await hirer.result('GetTask', { id }))).toBe('TASK_STATE_REJECTED');
    expect(await worker.code('SendMessage', { message: { ...message(text('decline')), taskId: id } })).toBe(
      -32001,
    );
  });

  test('with the key of the worker itself, and a hire of REST', async () => {
    const { app } = market;
    const { api_key } = await createKeyFor(app.service.trust, app.otherId, {
      role: 'holder',
      subject_commitment: market.worker.commitment,
    });
    const id = await market.hire(market.hirer, market.worker);
    const holder = a2aClient(app.fetch, 'http://localhost', api_key);
    const task = await holder.send(text('decline'), { referenceTaskIds: [id] });
    expect([stateOf(task), await statusOf(id)]).toEqual(['TASK_STATE_COMPLETED', 'DECLINED']);
  });

  test('by an answer to the question which one', async () => {
    const id = await hire();
    const asked = await worker.send(text('decline'));
    expect([stateOf(asked), await statusOf(id)]).toEqual(['TASK_STATE_INPUT_REQUIRED', 'HELD']);
    expect(textOf(asked)).toContain('Which hire?');
    const task = await worker.send([{ data: { task_id: id } }], { taskId: asked.id });
    expect([stateOf(task), await statusOf(id)]).toEqual(['TASK_STATE_COMPLETED', 'DECLINED']);
  });

  test('although a question of its own waits for an answer in the same context', async () => {
    const contextId = crypto.randomUUID();
    const id = await hire();
    expect(stateOf(await worker.send(text('receipt'), { contextId }))).toBe('TASK_STATE_INPUT_REQUIRED');
    const said = [{ data: { action: 'decline' } }];
    const task = await worker.send(said, { contextId, referenceTaskIds: [id] });
    expect([stateOf(task), await statusOf(id)]).toEqual(['TASK_STATE_COMPLETED', 'DECLINED']);
  });

  test('once: a second one, and two at once, have one winner', async () => {
    const id = await hire();
    const tasks = await Promise.all(
      [1, 2, 3].map(() => worker.send(text('decline'), { referenceTaskIds: [id] })),
    );
    expect(tasks.map(stateOf).sort()).toEqual([
      'TASK_STATE_COMPLETED',
      'TASK_STATE_REJECTED',
      'TASK_STATE_REJECTED',
    ]);
    expect(tasks.map(textOf).find((said) => said.includes('cannot be declined'))).toBeDefined();
  });
});

const message = (parts: Json[]): Json => ({ messageId: crypto.randomUUID(), role: 'ROLE_USER', parts });

describe('nothing is declined', () => {
  test.each<[string, (id: string) => [Json[], Json], string]>([
    ['by words around it', (id) => [text('I decline'), { referenceTaskIds: [id] }], 'INPUT_REQUIRED'],
    ['by a text with the id', (id) => [text(`decline ${id}`), {}], 'INPUT_REQUIRED'],
    ['by the id alone', (id) => [[{ data: { task_id: id } }], {}], 'INPUT_REQUIRED'],
    [
      'by the action with another member',
      (id) => [[{ data: { action: 'decline', reason: 'no' } }], { referenceTaskIds: [id] }],
      'INPUT_REQUIRED',
    ],
    [
      'by a reference to two tasks',
      (id) => [text('decline'), { referenceTaskIds: [id, 'a2a_00000000000000000000000000000000'] }],
      'INPUT_REQUIRED',
    ],
    [
      'by a task_id that is no text',
      () => [[{ data: { action: 'decline', task_id: 7 } }], {}],
      'INPUT_REQUIRED',
    ],
    [
      'of a task that nobody knows',
      () => [text('decline'), { referenceTaskIds: ['a2a_00000000000000000000000000000000'] }],
      'INPUT_REQUIRED',
    ],
  ])('%s', async (_, say, state) => {
    const id = await hire();
    const [parts, more] = say(id);
    const task = await worker.send(parts, more);
    expect([stateOf(task), await statusOf(id)]).toEqual([`TASK_STATE_${state}`, 'HELD']);
  });

  test('by a stranger, who learns nothing of the hire', async () => {
    const { app } = market;
    const id = await hire();
    const { api_key } = await createOperator(app.service.trust, { name: 'third', admin: false });
    const third = a2aClient(app.fetch, 'http://localhost', api_key);
    const task = await third.send(text('decline'), { referenceTaskIds: [id] });
    const unknown = await third.send(text('decline'), {
      referenceTaskIds: ['a2a_00000000000000000000000000000000'],
    });
    expect(textOf(task)).toBe(textOf(unknown));
    expect([stateOf(task), await statusOf(id)]).toEqual(['TASK_STATE_INPUT_REQUIRED', 'HELD']);
  });

  test('by the hirer, by reference or in its task; it can cancel', async () => {
    const id = await hire();
    for (const more of [{ taskId: id }, { referenceTaskIds: [id] }]) {
      const task = await hirer.send(text('decline'), more);
      expect([stateOf(task), task.id]).toEqual(['TASK_STATE_WORKING', id]);
      expect(textOf(task)).toContain("only the worker's side can decline");
    }
    const named = await hirer.send([{ data: { skill: 'decline_hire', task_id: id } }]);
    expect([stateOf(named), await statusOf(id)]).toEqual(['TASK_STATE_REJECTED', 'HELD']);
    expect(stateOf(await hirer.send(text('cancel'), { taskId: id }))).toBe('TASK_STATE_CANCELED');
  });

  test('without a key, and of a hire that was delivered or ended', async () => {
    const id = await hire();
    const anyone = a2aClient(market.app.fetch, 'http://localhost', null);
    const sent = await anyone.call('SendMessage', {
      message: { ...message(text('decline')), referenceTaskIds: [id] },
    });
    expect(sent.result).toBeUndefined();
    expect(await statusOf(id)).toBe('HELD');
    await market.deliver(market.worker, id);
    expect(stateOf(await worker.send(text('decline'), { referenceTaskIds: [id] }))).toBe(
      'TASK_STATE_REJECTED',
    );
    expect(await statusOf(id)).toBe('DELIVERED');
    await market.app.own.post(`${ENGAGEMENTS}/${id}/accept`);
    expect(stateOf(await worker.send(text('decline'), { referenceTaskIds: [id] }))).toBe(
      'TASK_STATE_REJECTED',
    );
    expect(await statusOf(id)).toBe('PAID');
  });

  test('while the hirer is frozen', async () => {
    const id = await hire();
    await market.freeze(market.hirer);
    const task = await worker.send(text('decline'), { referenceTaskIds: [id] });
    expect([stateOf(task), await statusOf(id)]).toEqual(['TASK_STATE_REJECTED', 'HELD']);
    await market.freeze(market.hirer, false);
  });
});

test('whose key acts for both sides declines in the task of the hirer itself', async () => {
  const { app } = market;
  const colleague = await creditedAgent(app);
  const parties = { hirer_commitment: market.hirer.commitment, worker_commitment: colleague.commitment };
  const { id } = await hirer.send([{ data: { skill: 'hire_agent', ...parties, amount: 10 } }]);
  const task = await hirer.send(text('decline'), { referenceTaskIds: [id] });
  expect([task.id, stateOf(task)]).toEqual([id, 'TASK_STATE_REJECTED']);
  expect(await market.read(String(id))).toMatchObject({ status: 'DECLINED', ended_by: 'worker' });
});
