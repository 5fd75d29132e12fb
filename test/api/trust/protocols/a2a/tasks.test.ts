import { Database } from 'bun:sqlite';
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DAY_MS } from '../../../../../src/platform/time/units.ts';
import { setAccountStatus } from '../../../../../src/trust/pages/dashboard/set-account-status.ts';
import { audited as tables } from '../../../../../src/trust/protocols/a2a/audit.ts';
import { deleteTasksBefore } from '../../../../../src/trust/protocols/a2a/store.ts';
import { a2aClient } from '../../../../support/a2a.ts';
import { audited } from '../../../../support/audit.ts';
import { type CreditedAgent, creditedAgent, holderOf } from '../../../../support/credits.ts';
import { type Market, openMarket } from '../../../../support/engagements.ts';
import { withoutTriggers } from '../../../../support/tampering.ts';
import { openTrustApp } from '../../../../support/trust-app.ts';
import { VirtualTime } from '../../../../support/virtual-time.ts';

type Client = ReturnType<typeof a2aClient>;

let market: Market;
let own: Client;
let other: Client;
let anyone: Client;
const clientOf = (key: string | null): Client => a2aClient(market.app.fetch, 'http://localhost', key);
beforeAll(async () => {
  market = await openMarket();
  own = clientOf(market.app.apiKey);
  other = clientOf(market.app.otherKey);
  anyone = clientOf(null);
});
afterAll(() => market.app.close());

const lookUp = (agent: Pick<CreditedAgent, 'commitment'>) => [
  { data: { skill: 'lookup_reputation', subject_commitment: agent.commitment } },
];
const hire = (amount = 10) => [
  {
    data: {
      skill: 'hire_agent',
      hirer_commitment: market.hirer.commitment,
      worker_commitment: market.worker.commitment,
      amount,
    },
  },
];
/** A copy, because toMatchObject writes its matchers into what it compares. */
const copyOf = <T>(value: T): T => structuredClone(value);
const stateOf = (task: unknown): unknown => Object(Object(task).status).state;

describe('a message', () => {
  test('to a skill completes a task with text and data as its artifact, in the words of each generation', async () => {
    const task = await own.send(lookUp(market.hirer));
    expect(copyOf(task)).toMatchObject({
      id: expect.stringMatching(/^a2a_[0-9a-f]{32}$/),
      contextId: expect.stringMatching(/^ctx_/),
      status: { state: 'TASK_STATE_COMPLETED', timestamp: expect.any(String) },
      artifacts: [
        {
          name: 'lookup_reputation',
          parts: [
            { text: expect.any(String), mediaType: 'text/plain' },
            { data: expect.any(Object), mediaType: 'application/json' },
          ],
        },
      ],
      history: [{ role: 'ROLE_USER', taskId: task.id, contextId: task.contextId }],
      metadata: { taskId: task.id, skill: 'lookup_reputation' },
    });
    const older = await own.result('message/send', {
      message: {
        kind: 'message',
        messageId: 'm-03',
        role: 'user',
        parts: [
          { kind: 'data', data: { skill: 'lookup_reputation', subject_commitment: market.hirer.commitment } },
        ],
      },
    });
    expect(copyOf(older)).toMatchObject({
      kind: 'task',
      status: { state: 'completed' },
      artifacts: [{ artifactId: expect.any(String), parts: [{ kind: 'text' }, { kind: 'data' }] }],
      history: [{ kind: 'message', role: 'user', messageId: 'm-03' }],
    });
    expect(JSON.stringify(older)).not.toContain('sessionId');
    const oldest = await own.result('tasks/send', {
      id: 'my-task',
      sessionId: 'my-session',
      message: {
        role: 'user',
        parts: [{ type: 'text', text: `What is the reputation of ${market.hirer.commitment}?` }],
      },
    });
    expect(copyOf(oldest)).toMatchObject({
      id: 'my-task',
      sessionId: 'my-session',
      status: { state: 'completed' },
      artifacts: [{ index: 0, parts: [{ type: 'text' }, { type: 'data' }] }],
    });
    // Every generation reads the tasks of the others.
    for (const id of [task.id, older.id, 'my-task']) {
      expect(stateOf(await own.result('GetTask', { id }))).toBe('TASK_STATE_COMPLETED');
      expect(stateOf(await own.result('tasks/get', { id }))).toBe('completed');
    }
  });

  test('that lacks something is asked for it, and the answer completes the same task', async () => {
    const asked = await own.send([{ text: 'Look up a reputation, please.' }]);
    expect(copyOf(asked)).toMatchObject({
      status: {
        state: 'TASK_STATE_INPUT_REQUIRED',
        message: {
          role: 'ROLE_AGENT',
          parts: [
            { text: expect.stringContaining('subject_commitment') },
            { data: { skill: 'lookup_reputation' } },
          ],
        },
      },
    });
    const { id: taskId, contextId } = asked;
    const done = await own.send([{ text: market.hirer.commitment }], { taskId, contextId });
    expect([done.id, done.contextId, stateOf(done)]).toEqual([taskId, contextId, 'TASK_STATE_COMPLETED']);
    const roles = Array.isArray(done.history) ? done.history.map(({ role }) => role) : [];
    expect(roles).toEqual(['ROLE_USER', 'ROLE_AGENT', 'ROLE_USER']);
  });

  test('that names no skill gets the list of them, and one that names an unknown skill too', async () => {
    for (const parts of [[{ text: 'hello' }], [{ data: { skill: 'cook_dinner' } }], [{ data: 7 }]]) {
      const { status } = await own.send(parts);
      const [, { data = null } = {}] = Object(status).message.parts;
      expect(Object(data).skills.map(({ id }: { id: string }) => id)).toContain('verify_receipt');
    }
  });

  test('names its skill in its metadata, in that of the request, or in a text that is JSON', async () => {
    const { commitment } = market.hirer;
    const ways = [
      await own.send([{ text: commitment }], { metadata: { skill: 'lookup_reputation' } }),
      await own.send([{ text: commitment }], {}, { metadata: { skill: 'lookup_reputation' } }),
      await own.send([
        { text: JSON.stringify({ skill: 'lookup_reputation', subject_commitment: commitment }) },
      ]),
    ];
    expect(ways.map(stateOf)).toEqual(ways.map(() => 'TASK_STATE_COMPLETED'));
  });

  test('with a member that the skill does not have is asked again, and the rest of its input is stored', async () => {
    const terms = Object(hire()[0]).data;
    const asked = await own.send([{ data: { ...terms, amount: undefined, colour: 'blue' } }]);
    expect([stateOf(asked), JSON.stringify(asked.status)]).toEqual([
      'TASK_STATE_INPUT_REQUIRED',
      expect.stringContaining('colour'),
    ]);
    const held = await own.send([{ data: { amount: 3 } }], { taskId: asked.id });
    expect(copyOf(held)).toMatchObject({
      status: { state: 'TASK_STATE_WORKING' },
      metadata: { escrow: { amount: 3 } },
    });
    await own.result('CancelTask', { id: held.id });
  });

  test('with a member of a strange name is not asked for it for ever', async () => {
    for (const name of ['a/b', '', '~', 'subject_commitment.x']) {
      const { id: taskId } = await own.send([{ data: { skill: 'lookup_reputation', [name]: 1 } }]);
      const done = await own.send([{ data: { subject_commitment: market.hirer.commitment } }], { taskId });
      expect([name, stateOf(done)]).toEqual([name, 'TASK_STATE_COMPLETED']);
    }
  });

  test('with a member of the longest name is asked about the beginning of it', async () => {
    const asked = await own.send([{ data: { skill: 'hire_agent', ['~'.repeat(65_400)]: 1 } }]);
    expect(stateOf(asked)).toBe('TASK_STATE_INPUT_REQUIRED');
    expect(JSON.stringify(asked.status).length).toBeLessThan(4000);
  });

  test('that is repeated returns its task and does nothing again, also at the same time', async () => {
    const before = await market.figures(market.hirer);
    const message = { messageId: 'the-same', role: 'ROLE_USER', parts: hire(7) };
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => own.result('SendMessage', { message })),
    );
    const again = await own.result('SendMessage', { message });
    const ids = new Set([...answers, again].map((answer) => Object(answer.task).id));
    expect(ids.size).toBe(1);
    const after = await market.figures(market.hirer);
    expect(before.promotional.available - after.promotional.available).toBe(7);
    // The same id with another content is another message.
    const [id] = ids;
    const others = await own.result('SendMessage', { message: { ...message, parts: [{ text: 'hello' }] } });
    expect(Object(others.task).id).not.toBe(id);
    await own.result('CancelTask', { id });
  });

  test('of another operator or agent with the same messageId and content begins a task of its own', async () => {
    const holder = clientOf(String((await holderOf(market.app, market.hirer)).key));
    const message = { messageId: 'not-mine', role: 'ROLE_USER', parts: [{ text: 'hello' }] };
    const ids: unknown[] = [];
    for (const sender of [own, other, holder])
      ids.push(Object((await sender.result('SendMessage', { message })).task).id);
    expect(new Set(ids).size).toBe(3);
  });

  test('that is repeated after 24 hours is a new one', async () => {
    const time = new VirtualTime();
    const app = await openTrustApp({}, time);
    const me = a2aClient(app.fetch, 'http://localhost', app.apiKey);
    const message = { messageId: 'daily', role: 'ROLE_USER', parts: [{ text: 'hello' }] };
    const idOf = async () => Object((await me.result('SendMessage', { message })).task).id;
    const first = await idOf();
    time.advance(DAY_MS - 1000);
    expect(await idOf()).toBe(first);
    time.advance(1000);
    expect(await idOf()).not.toBe(first);
    await app.close();
  });

  test('of 0.1, which has no id, is repeated once its task asks for nothing', async () => {
    const say = (text: string) =>
      own.result('tasks/send', {
        id: 'without-id',
        message: { role: 'user', parts: [{ type: 'text', text }] },
      });
    await say('hello');
    const again = await say('hello');
    expect(Object(await own.result('tasks/get', { id: 'without-id' })).history).toHaveLength(4);
    expect(stateOf(again)).toBe('input-required');
    const done = await say(`Look up the reputation of ${market.hirer.commitment}.`);
    expect(await say(`Look up the reputation of ${market.hirer.commitment}.`)).toEqual(done);
    const message = { role: 'user', parts: [{ type: 'text', text: 'something else' }] };
    expect(await own.code('tasks/send', { id: 'without-id', message })).toBe(-32004);
  });

  test('that comes at the same time as others is stored once, with its own reply', async () => {
    const { id: taskId } = await own.send([{ text: 'hello' }]);
    const words = ['one', 'two', 'three', 'four', 'five'];
    await Promise.all(words.map((text) => own.send([{ text }], { taskId })));
    const { history } = await own.result('GetTask', { id: taskId });
    const said = Array.isArray(history)
      ? history.map(({ role, parts }) => [role, role === 'ROLE_USER' ? parts[0].text : ''])
      : [];
    expect(
      said
        .filter(([role]) => role === 'ROLE_USER')
        .map(([, text]) => text)
        .sort(),
    ).toEqual(['hello', ...words].sort());
    expect(said.map(([role]) => role)).toEqual(
      said.map((_, at) => (at % 2 === 0 ? 'ROLE_USER' : 'ROLE_AGENT')),
    );
  });

  test('of another operator with the same ids begins a task of its own', async () => {
    const params = { id: 'shared', message: { role: 'user', parts: [{ type: 'text', text: 'hello' }] } };
    await own.result('tasks/send', params);
    const second = await other.result('tasks/send', params);
    expect(Object(await own.result('tasks/get', { id: 'shared' })).metadata.taskId).not.toBe(
      Object(second.metadata).taskId,
    );
  });

  test('is refused when the task has its limit of messages', async () => {
    const { id: taskId } = await own.send([{ text: 'hello' }]);
    for (let sent = 1; sent < 50; sent++) await own.send([{ text: `hello ${sent}` }], { taskId });
    const message = { messageId: 'one-more', role: 'ROLE_USER', taskId, parts: [{ text: 'hello' }] };
    expect(await own.code('SendMessage', { message })).toBe(-32004);
    const { history } = await own.result('GetTask', { id: taskId });
    expect(Array.isArray(history) && history.length).toBe(100);
  });
});

describe('a hire', () => {
  test('follows its escrow: working, input-required, completed with the receipt', async () => {
    const task = await own.send(hire());
    expect(copyOf(task)).toMatchObject({
      status: {
        state: 'TASK_STATE_WORKING',
        message: { parts: [{ text: expect.stringContaining('locked') }, {}] },
      },
      metadata: { skill: 'hire_agent', escrow: { task_id: task.id, status: 'HELD' } },
    });
    await market.deliver(market.worker, String(task.id));
    const delivered = await own.result('GetTask', { id: task.id });
    expect(copyOf(delivered)).toMatchObject({
      status: {
        state: 'TASK_STATE_INPUT_REQUIRED',
        message: { parts: [{ text: expect.stringContaining('accept') }] },
      },
      metadata: { escrow: { status: 'DELIVERED' } },
    });
    const paid = await own.send([{ text: 'accept' }], { taskId: task.id });
    expect(copyOf(paid)).toMatchObject({
      status: { state: 'TASK_STATE_COMPLETED' },
      artifacts: [
        {
          parts: [
            { text: expect.any(String) },
            { data: { status: 'PAID', receipt_id: expect.stringMatching(/^rcpt_/) } },
          ],
        },
      ],
    });
    expect(await own.code('CancelTask', { id: task.id })).toBe(-32002);
  });

  test('is cancelled with its escrow, and a delivered one is not', async () => {
    const before = await market.figures(market.hirer);
    const held = await own.send(hire());
    expect(stateOf(await own.result('tasks/cancel', { id: held.id }))).toBe('canceled');
    expect((await market.figures(market.hirer)).promotional).toEqual(before.promotional);
    const delivered = await own.send(hire());
    await market.deliver(market.worker, String(delivered.id));
    expect(await own.code('CancelTask', { id: delivered.id })).toBe(-32002);
  });

  test('that the hirer cannot pay is rejected with the reason, and stores no escrow', async () => {
    const task = await own.send(hire(1_000_000));
    expect(copyOf(task)).toMatchObject({
      status: {
        state: 'TASK_STATE_REJECTED',
        message: { parts: [{}, { data: { reason_code: 'insufficient_credits' } }] },
      },
    });
    const { commitment } = market.hirer;
    const older = await own.result('tasks/send', {
      id: 'too-much',
      message: {
        role: 'user',
        parts: [
          {
            type: 'data',
            data: {
              skill: 'hire_agent',
              hirer_commitment: commitment,
              worker_commitment: market.worker.commitment,
              amount: 1_000_000,
            },
          },
        ],
      },
    });
    // 0.1 has no rejected.
    expect(stateOf(older)).toBe('failed');
  });

  test('under an id of the client has the task_id of the service, by which everybody sees its escrow', async () => {
    const [part] = hire();
    const { metadata } = await own.result('tasks/send', {
      id: 'my-hire',
      message: { role: 'user', parts: [{ type: 'data', ...part }] },
    });
    const { taskId, escrow } = Object(metadata);
    expect(escrow.task_id).toBe(taskId);
    const shown = await anyone.result('GetTask', { id: taskId });
    expect(shown).toEqual({
      id: taskId,
      contextId: taskId,
      status: { state: 'TASK_STATE_WORKING', timestamp: expect.any(String) },
      metadata: { taskId, escrow },
    });
    expect(await other.result('GetTask', { id: taskId })).toEqual(shown);
    const { status } = await anyone.post({
      jsonrpc: '2.0',
      id: 1,
      method: 'GetTask',
      params: { id: 'my-hire' },
    });
    expect(status).toBe(401);
    expect(await other.code('GetTask', { id: 'my-hire' })).toBe(-32001);
  });
});

describe('rights:', () => {
  test('a holder key has the tasks of its agent, and its operator has all of them', async () => {
    const agent = await creditedAgent(market.app, { credits: { promotional: 50 } });
    const { key } = await holderOf(market.app, agent);
    const holder = clientOf(key);
    const mine = await holder.send([{ text: 'hello' }]);
    const theirs = await own.send([{ text: 'hello' }]);
    expect(Object(await holder.result('ListTasks', {})).totalSize).toBe(1);
    expect(await holder.result('GetTask', { id: theirs.id })).not.toHaveProperty('history');
    expect(await holder.code('CancelTask', { id: theirs.id })).toBe(-32001);
    expect((await own.result('GetTask', { id: mine.id })).history).toBeDefined();
    // An id of the operator that the holder does not see is not given again.
    await own.result('tasks/send', {
      id: 'taken',
      message: { role: 'user', parts: [{ type: 'text', text: 'hello' }] },
    });
    const params = { id: 'taken', message: { role: 'user', parts: [{ type: 'text', text: 'mine' }] } };
    expect(await holder.code('tasks/send', params)).toBe(-32000);
  });

  test('another operator can neither change nor list a task', async () => {
    const { id } = await own.send([{ text: 'hello' }]);
    expect(await other.code('CancelTask', { id })).toBe(-32001);
    const message = { messageId: 'x', role: 'ROLE_USER', taskId: id, parts: [{ text: 'hello' }] };
    expect(await other.code('SendMessage', { message })).toBe(-32001);
    const { tasks } = await other.result('ListTasks', { pageSize: 100 });
    expect(JSON.stringify(tasks)).not.toContain(String(id));
  });

  test('a suspended operator reads its tasks and writes none', async () => {
    const app = await openTrustApp();
    const suspended = a2aClient(app.fetch, 'http://localhost', app.otherKey);
    const { id } = await suspended.send([{ text: 'hello' }]);
    await setAccountStatus(app.service.trust, app.otherId, 'SUSPENDED');
    expect((await suspended.result('GetTask', { id })).history).toBeDefined();
    const { status, body } = await suspended.post({
      jsonrpc: '2.0',
      id: 1,
      method: 'CancelTask',
      params: { id },
    });
    expect([status, body.reason_code]).toEqual([403, 'forbidden']);
    await app.close();
  });

  test('quotas of the payer limit what is stored, and refuse no cancellation', async () => {
    const app = await openTrustApp({ 'quotas.other.stored_bytes': '59000', rate_limits: 'on' });
    const limited = a2aClient(app.fetch, 'http://localhost', app.otherKey);
    const ids: unknown[] = [];
    for (let sent = 0; sent < 10; sent++) ids.push((await limited.send([{ text: 'hello' }])).id);
    // Long messages, then short ones, until there is room for none.
    for (const length of [4000, 1]) {
      const codes: unknown[] = [];
      for (let sent = 0; sent < 30 && codes.at(-1) !== -32000; sent++) {
        const parts = [{ text: 'x'.repeat(length) }];
        const message = { messageId: crypto.randomUUID(), role: 'ROLE_USER', parts };
        codes.push(await limited.code('SendMessage', { message }));
      }
      expect([codes[0], codes.at(-1)]).toEqual([null, -32000]);
    }
    for (const id of ids)
      expect(stateOf(await limited.result('CancelTask', { id }))).toBe('TASK_STATE_CANCELED');
    await app.close();
  });

  test('strangers are limited by their address', async () => {
    const app = await openTrustApp({ rate_limits: 'on', 'limits.public_posts': '3' });
    const stranger = a2aClient(app.fetch, 'http://localhost', null);
    const statuses: number[] = [];
    for (let sent = 0; sent < 5; sent++) statuses.push((await stranger.post('{')).status);
    expect(statuses).toEqual([200, 200, 200, 429, 429]);
    await app.close();
  });
});

describe('a list', () => {
  test('shows the last changed first, in pages, by context, state and time, without artifacts unless they are asked for', async () => {
    const time = new VirtualTime();
    const app = await openTrustApp({}, time);
    const me = a2aClient(app.fetch, 'http://localhost', app.apiKey);
    const ids: unknown[] = [];
    // Each names another skill than those before it, so that it begins a task of its own.
    const named = ['verify_receipt', 'verify_receipt', 'check_gate', 'check_gate', 'hire_agent'];
    for (const [sent, skill] of named.entries()) {
      time.advance(1000);
      ids.push((await me.send([{ data: { skill } }], { contextId: sent % 2 === 0 ? 'even' : 'odd' })).id);
    }
    const since = new Date(time.now()).toISOString();
    time.advance(1000);
    await me.result('CancelTask', { id: ids[1] });
    const order = [ids[1], ids[4], ids[3], ids[2], ids[0]];
    const seen: unknown[] = [];
    let pageToken = '';
    do {
      const page = await me.result('ListTasks', { pageSize: 2, pageToken });
      const tasks = Array.isArray(page.tasks) ? page.tasks : [];
      expect([page.pageSize, page.totalSize]).toEqual([tasks.length, 5]);
      for (const task of tasks) {
        expect(task).not.toHaveProperty('artifacts');
        expect(task).not.toHaveProperty('history');
        seen.push(task.id);
      }
      pageToken = String(page.nextPageToken);
    } while (pageToken !== '');
    expect(seen).toEqual(order);
    const idsOf = async (params: Record<string, unknown>, method = 'ListTasks') => {
      const { tasks } = await me.result(method, params);
      return Array.isArray(tasks) ? tasks.map(({ id }) => id) : [];
    };
    expect(await idsOf({ contextId: 'odd' })).toEqual([ids[1], ids[3]]);
    expect(await idsOf({ status: 'TASK_STATE_CANCELED' })).toEqual([ids[1]]);
    expect(await idsOf({ status: 'TASK_STATE_UNSPECIFIED', contextId: '' })).toEqual(order);
    expect(await idsOf({ status: 'TASK_STATE_AUTH_REQUIRED' })).toEqual([]);
    expect(await idsOf({ statusTimestampAfter: since })).toEqual([ids[1], ids[4]]);
    expect(await idsOf({ sessionId: 'even', status: 'input-required', limit: 2 }, 'tasks/list')).toEqual([
      ids[4],
      ids[2],
    ]);
    const { tasks } = await me.result('ListTasks', { includeArtifacts: true, historyLength: 1, pageSize: 1 });
    expect(tasks).toMatchObject([{ artifacts: [], history: [{ role: 'ROLE_AGENT' }] }]);
    // A token is of one list with its filters.
    const { nextPageToken } = await me.result('ListTasks', { pageSize: 1 });
    expect(await me.code('ListTasks', { pageToken: nextPageToken, contextId: 'odd' })).toBe(-32602);
    await app.close();
  });

  test('and a task show at most a mebibyte of history', async () => {
    let task = await own.send([{ text: 'x'.repeat(60_000) }], { contextId: 'long' });
    for (let sent = 1; sent < 19; sent++)
      task = await own.send([{ text: 'x'.repeat(60_000) }], { taskId: task.id });
    const got = await own.result('GetTask', { id: task.id });
    const { tasks } = await own.result('ListTasks', { contextId: 'long', historyLength: 100 });
    for (const { history } of [got, Object(Array.isArray(tasks) ? tasks[0] : null)])
      expect([history.length > 30, history.length < 38]).toEqual([true, true]);
    await own.result('CancelTask', { id: task.id });
  });

  test('ends a page early rather than return more than a mebibyte of history', async () => {
    const app = await openTrustApp();
    const me = a2aClient(app.fetch, 'http://localhost', app.apiKey);
    for (let sent = 0; sent < 20; sent++) await me.send([{ text: `${sent}${'x'.repeat(60_000)}` }]);
    const { tasks, nextPageToken } = await me.result('ListTasks', { historyLength: 10 });
    expect([Array.isArray(tasks) && tasks.length < 20, nextPageToken === '']).toEqual([true, false]);
    await app.close();
  });
});

describe('old tasks', () => {
  test('are deleted after their time, and those with open escrow are not', async () => {
    const time = new VirtualTime();
    const old = await openMarket({}, time);
    const me = a2aClient(old.app.fetch, 'http://localhost', old.app.apiKey);
    const { commitment: hirer_commitment } = old.hirer;
    const terms = {
      skill: 'hire_agent',
      hirer_commitment,
      worker_commitment: old.worker.commitment,
      amount: 5,
    };
    const hired = await me.send([{ data: terms }]);
    const asked = await me.send([{ text: 'hello' }]);
    const ended = await me.send([
      { data: { skill: 'lookup_reputation', subject_commitment: hirer_commitment } },
    ]);
    const { tasks } = await old.app.service.background();
    const run = () => tasks.find(({ name }) => name === 'delete old A2A tasks')?.run();
    time.advance(29 * DAY_MS);
    await run();
    expect(Object(await me.result('ListTasks', {})).totalSize).toBe(3);
    time.advance(2 * DAY_MS);
    await run();
    for (const { id } of [asked, ended]) expect(await me.code('GetTask', { id })).toBe(-32001);
    expect(stateOf(await me.result('GetTask', { id: hired.id }))).toBe('TASK_STATE_WORKING');
    await old.app.close();
  });

  test('that are large are deleted a few at a time, so that one transaction does not block the others', async () => {
    const { app } = await openMarket();
    const me = a2aClient(app.fetch, 'http://localhost', app.apiKey);
    for (let count = 0; count < 4; count++) {
      const { id: taskId } = await me.send([{ text: 'hello' }]);
      for (let more = 0; more < 4; more++) await me.send([{ text: 'hello' }], { taskId });
    }
    const { store, clock } = app.service.trust;
    // Each task has ten messages.
    const deleteBatch = () => store.writeAsService((tx) => deleteTasksBefore(tx, clock.now() + DAY_MS, 20));
    expect([await deleteBatch(), await deleteBatch(), await deleteBatch()]).toEqual([2, 2, 0]);
    await app.close();
  });
});

describe('fsck', () => {
  test('finds nothing wrong with tasks in every state, and every change to them', async () => {
    const scratch = mkdtempSync(join(tmpdir(), 'countersign-a2a-audit-'));
    const data = join(scratch, 'data');
    const { app, hirer, worker, deliver } = await openMarket({ data });
    const me = a2aClient(app.fetch, 'http://localhost', app.apiKey);
    const terms = {
      skill: 'hire_agent',
      hirer_commitment: hirer.commitment,
      worker_commitment: worker.commitment,
      amount: 5,
    };
    const held = await me.send([{ data: terms }]);
    const paid = await me.send([{ data: { ...terms, amount: 6 } }]);
    await deliver(worker, String(paid.id));
    await me.send([{ text: 'accept' }], { taskId: paid.id });
    await me.send([{ text: 'hello' }]);
    await me.send([{ data: { skill: 'lookup_reputation', subject_commitment: hirer.commitment } }]);
    await app.service.trust.log.publisher.publish();
    await app.close();
    const sentences = async (directory: string): Promise<string[]> => {
      const { reported } = await audited(directory, { only: tables });
      return reported.filter(({ table }) => table !== 'sqlite_schema').map(({ sentence }) => sentence);
    };
    expect(await sentences(data)).toEqual([]);
    const changes: [what: string, sql: string, found: string][] = [
      [
        'the text of a message',
        "UPDATE a2a_message SET content = replace(content, 'hello', 'hullo')",
        'content has another digest',
      ],
      [
        'the digest of an artifact',
        'UPDATE a2a_artifact SET digest = zeroblob(32)',
        'content has another digest',
      ],
      [
        'an artifact that is no JSON',
        "UPDATE a2a_artifact SET content = '{]'",
        'content is not one that the service writes',
      ],
      [
        'a message of another task',
        'UPDATE a2a_message SET task_seq = 1000 WHERE message_seq = 1',
        'there is no task with its task_seq',
      ],
      [
        'a message that is gone',
        'DELETE FROM a2a_message WHERE message_seq = 1',
        'messages is not the number of its messages',
      ],
      [
        'an artifact that is gone',
        'DELETE FROM a2a_artifact',
        'artifacts is not the number of its artifacts',
      ],
      [
        'a state that the escrow does not have',
        "UPDATE a2a_task SET state = 'completed' WHERE escrow_seq = 1",
        'state is not that of its escrow',
      ],
      [
        'a task that was completed by hand',
        "UPDATE a2a_task SET state = 'completed' WHERE escrow_seq IS NULL AND state = 'input-required'",
        'state is not that of a task with its number of artifacts',
      ],
      [
        'a completed task that was canceled by hand',
        "UPDATE a2a_task SET state = 'canceled' WHERE escrow_seq IS NULL AND state = 'completed'",
        'state is not that of a task with its number of artifacts',
      ],
      [
        'a state that is none',
        "UPDATE a2a_task SET state = 'sleeping' WHERE escrow_seq IS NULL",
        'state is none of its states',
      ],
      [
        'another id',
        'UPDATE a2a_task SET task_id = zeroblob(16) WHERE escrow_seq = 1',
        'its escrow is not one of A2A with its task_id',
      ],
      [
        'another operator',
        'UPDATE a2a_task SET operator_seq = 99',
        'there is no operator with its operator_seq',
      ],
      [
        'a task that is gone while its escrow is open',
        'DELETE FROM a2a_task WHERE escrow_seq = 1',
        'it is open, and no A2A task has it',
      ],
      [
        'a reply that named a task without escrow',
        'UPDATE a2a_last_reply SET task_seq = (SELECT min(task_seq) FROM a2a_task WHERE escrow_seq IS NULL)',
        'its task is not one with escrow that its caller may see',
      ],
      [
        'push notifications for another operator',
        "INSERT INTO a2a_push VALUES (1, 1, 2, 'x', 'https://example.com/', '1.0', NULL, 'x', 0)",
        'operator_seq is not that of its task',
      ],
      [
        'push notifications of no generation',
        "INSERT INTO a2a_push VALUES (1, 1, (SELECT operator_seq FROM a2a_task WHERE task_seq = 1), 'x', 'https://example.com/', '2.0', NULL, 'x', 0)",
        'form is none of its forms',
      ],
      [
        'a reply to another operator',
        'UPDATE a2a_last_reply SET operator_seq = 2 WHERE reply_seq = 1',
        'its task is not one with escrow that its caller may see',
      ],
    ];
    for (const [index, [what, sql, found]] of changes.entries()) {
      const copy = join(scratch, String(index));
      cpSync(data, copy, { recursive: true });
      const database = new Database(join(copy, 'trust.db'));
      withoutTriggers(database);
      database.run('PRAGMA foreign_keys = OFF');
      database.run('PRAGMA ignore_check_constraints = ON');
      database.run(sql);
      database.close();
      expect([what, (await sentences(copy)).join('\n')]).toEqual([what, expect.stringContaining(found)]);
    }
    expect(held.id).toBeDefined();
    rmSync(scratch, { recursive: true });
  });
});
