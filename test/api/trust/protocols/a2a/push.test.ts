import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { Webhook } from 'standardwebhooks';
import { a2aClient } from '../../../../support/a2a.ts';
import { createKeyFor } from '../../../../support/api-keys.ts';
import { selfProvisionedAgent } from '../../../../support/credits.ts';
import { ENGAGEMENTS, type Market, openMarket } from '../../../../support/engagements.ts';
import { type Receiver, receiver } from '../../../../support/receiver.ts';

type Json = Record<string, unknown>;

let market: Market;
let own: ReturnType<typeof a2aClient>;
let inbox: Receiver;
let status: number;
beforeAll(async () => {
  market = await openMarket({
    credits: { promotional: 100_000 },
    settings: { 'webhooks.allow_private': 'on' },
  });
  own = a2aClient(market.app.fetch, 'http://localhost', market.app.apiKey);
});
beforeEach(() => {
  status = 200;
  inbox = receiver(
    () => new Response(null, { status, headers: { location: `http://127.0.0.1:${inbox.port}/on` } }),
  );
});
afterEach(() => inbox.stop());
afterAll(() => market.app.close());

const url = (path = '/push') => `http://127.0.0.1:${inbox.port}${path}`;
const terms = () => ({
  skill: 'hire_agent',
  hirer_commitment: market.hirer.commitment,
  worker_commitment: market.worker.commitment,
  amount: 10,
});
const hired = async (): Promise<string> => String((await own.send([{ data: terms() }])).id);
const settled = () => market.app.service.webhooks.dispatcher.idle();
/** Reads the body of a notification. */
const bodyOf = (index: number): Json => JSON.parse(inbox.received[index]?.body ?? 'null');
const create = (taskId: string, more: Json = {}) =>
  own.result('CreateTaskPushNotificationConfig', { taskId, url: url(), ...more });

/** The methods of each generation, and the state in what they send. */
const GENERATIONS = [
  {
    name: '0.1',
    set: (id: string, config: Json) =>
      own.result('tasks/pushNotification/set', { id, pushNotificationConfig: config }),
    get: (id: string) => own.result('tasks/pushNotification/get', { id }),
    urlOf: ({ id, pushNotificationConfig }: Json) => [id, Object(pushNotificationConfig).url],
    stateOf: ({ sessionId, status: { state } = { state: null } }: Json & { status?: { state: unknown } }) =>
      sessionId === undefined ? null : state,
    authentication: { schemes: ['Bearer'], credentials: 'abc' },
  },
  {
    name: '0.3',
    set: (taskId: string, config: Json) =>
      own.result('tasks/pushNotificationConfig/set', { taskId, pushNotificationConfig: config }),
    get: (id: string) =>
      own.result('tasks/pushNotificationConfig/get', { id, pushNotificationConfigId: 'mine' }),
    urlOf: ({ taskId, pushNotificationConfig }: Json) => [taskId, Object(pushNotificationConfig).url],
    stateOf: ({ kind, status: { state } = { state: null } }: Json & { status?: { state: unknown } }) =>
      kind === 'task' ? state : null,
    authentication: { schemes: ['Bearer', 'Basic'], credentials: 'abc' },
  },
  {
    name: '1.0',
    set: (taskId: string, config: Json) => create(taskId, config),
    get: (taskId: string) => own.result('GetTaskPushNotificationConfig', { taskId, id: 'mine' }),
    urlOf: ({ taskId, url: target }: Json) => [taskId, target],
    stateOf: ({ task }: Json) =>
      String(Object(Object(task).status).state)
        .replace('TASK_STATE_', '')
        .toLowerCase()
        .replace('_', '-'),
    authentication: { scheme: 'Bearer', credentials: 'abc' },
  },
];

describe.each(GENERATIONS)('push notifications of $name', ({ set, get, urlOf, stateOf, authentication }) => {
  test('tell of each change, with the token, the credentials and the signature', async () => {
    const id = await hired();
    const made = await set(id, { id: 'mine', url: url(), token: 'token-1', authentication });
    expect(urlOf(made)).toEqual([id, url()]);
    const { signingSecret } = Object(made.pushNotificationConfig ?? made);
    const got = await get(id);
    expect(urlOf(got)).toEqual([id, url()]);
    // Secrets are shown once.
    for (const secret of ['token-1', 'abc', String(signingSecret)]) {
      expect(JSON.stringify(made)).toContain(secret);
      expect(JSON.stringify(got)).not.toContain(secret);
    }
    await market.deliver(market.worker, id);
    await inbox.waitForRequest(1);
    await own.send([{ text: 'accept' }], { taskId: id });
    await inbox.waitForRequest(2);
    await settled();
    expect(inbox.received.map((_, index) => stateOf(bodyOf(index)))).toEqual(['input-required', 'completed']);
    const { headers = {}, body = '' } = inbox.received[0] ?? {};
    expect([headers['x-a2a-notification-token'], headers.authorization, headers['content-type']]).toEqual([
      'token-1',
      'Bearer abc',
      'application/json',
    ]);
    expect(() => new Webhook(signingSecret).verify(body, headers)).not.toThrow();
    expect(JSON.stringify(bodyOf(1))).toContain('receipt_id');
  });
});

describe('a configuration', () => {
  test.each<[string, string, (push: Json) => Json]>([
    ['1.0', 'SendMessage', (push) => ({ taskPushNotificationConfig: push })],
    ['0.3', 'message/send', (push) => ({ pushNotificationConfig: push })],
  ])(
    'comes with a message of %s, and is told of the task that it begins',
    async (_, method, configuration) => {
      const message = {
        messageId: crypto.randomUUID(),
        role: 'user',
        parts: [{ kind: 'data', data: terms() }],
      };
      const params = { message, configuration: configuration({ url: url(), token: 't' }) };
      const result = await own.result(method, params);
      const { id } = Object(result.task ?? result);
      await inbox.waitForRequest(1);
      await market.deliver(market.worker, id);
      await inbox.waitForRequest(2);
      expect(JSON.stringify(bodyOf(1))).toMatch(/input/i);
      // A repetition of the message adds no second one.
      await own.result(method, params);
      const { configs } = await own.result('ListTaskPushNotificationConfigs', { taskId: id });
      expect(configs).toHaveLength(1);
    },
  );

  test('comes with a message of 0.1', async () => {
    const id = `task-${crypto.randomUUID()}`;
    const message = { role: 'user', parts: [{ type: 'data', data: terms() }] };
    await own.result('tasks/send', { id, message, pushNotification: { url: url() } });
    await inbox.waitForRequest(1);
    expect(bodyOf(0)).toMatchObject({ id, status: { state: 'working' } });
  });

  test('is listed, replaced and deleted, and hears nothing afterwards', async () => {
    const id = await hired();
    await create(id, { id: 'a', url: url('/a') });
    await create(id, { id: 'a', url: url('/b') });
    await create(id, { url: url('/c') });
    const listed = await own.result('ListTaskPushNotificationConfigs', { taskId: id });
    const configs = Array.isArray(listed.configs) ? listed.configs : [];
    expect(configs.map((config) => config.url)).toEqual([url('/b'), url('/c')]);
    const old = await own.call('tasks/pushNotificationConfig/list', { id });
    expect(old.result).toHaveLength(2);
    const ref = { id, pushNotificationConfigId: 'a' };
    expect((await own.call('tasks/pushNotificationConfig/delete', ref)).result).toBeNull();
    for (let time = 0; time < 2; time++)
      expect(await own.result('DeleteTaskPushNotificationConfig', { taskId: id, id: 'a' })).toEqual({});
    expect(await own.code('GetTaskPushNotificationConfig', { taskId: id, id: 'a' })).toBe(-32001);
    await market.deliver(market.worker, id);
    await inbox.waitForRequest(1);
    await settled();
    expect(inbox.received.map(({ path }) => path)).toEqual(['/c']);
  });

  test("of another caller's task is unknown", async () => {
    const id = await hired();
    await create(id, { id: 'mine' });
    const other = a2aClient(market.app.fetch, 'http://localhost', market.app.otherKey);
    for (const [method, params] of [
      ['CreateTaskPushNotificationConfig', { taskId: id, url: url() }],
      ['GetTaskPushNotificationConfig', { taskId: id, id: 'mine' }],
      ['ListTaskPushNotificationConfigs', { taskId: id }],
      ['DeleteTaskPushNotificationConfig', { taskId: id, id: 'mine' }],
      ['tasks/pushNotificationConfig/get', { id }],
    ] as const)
      expect([method, await other.code(method, params)]).toEqual([method, -32001]);
    const anyone = await market.app.anyone.post('/api/v1/a2a/tasks', {
      ...{ jsonrpc: '2.0', id: 1, method: 'ListTaskPushNotificationConfigs', params: { taskId: id } },
    });
    expect(anyone.status).toBe(401);
  });

  test.each<[string, Json, string]>([
    ['no URL', { url: '' }, 'url'],
    ['a URL that is none', { url: 'nonsense' }, 'url'],
    ['another scheme', { url: 'ftp://example.com/' }, 'url'],
    ['a name and a password', { url: 'https://a:b@example.com/' }, 'url'],
    ['a token with a line end', { token: 'a\r\nX-Evil: 1' }, 'token'],
    [
      'credentials with a line end',
      { authentication: { scheme: 'Bearer', credentials: 'a\nb' } },
      'credentials',
    ],
    ['a scheme with a space', { authentication: { scheme: 'Bearer x', credentials: 'a' } }, 'scheme'],
    ['credentials without a scheme', { authentication: { credentials: 'a' } }, 'scheme'],
    ['a token that is too long', { token: 'x'.repeat(5000) }, 'token'],
    ['an id with a control character', { id: 'a\u0000' }, 'id'],
  ])('with %s is refused', async (_, change, field) => {
    const id = await hired();
    const { error } = await own.call('CreateTaskPushNotificationConfig', {
      taskId: id,
      url: url(),
      ...change,
    });
    expect([Object(error).code, JSON.stringify(Object(error).data)]).toEqual([
      -32602,
      expect.stringContaining(field),
    ]);
  });

  test('is one of ten of its task', async () => {
    const id = await hired();
    for (let made = 0; made < 10; made++) await create(id, { id: `config-${made}` });
    expect(await own.code('CreateTaskPushNotificationConfig', { taskId: id, url: url() })).toBe(-32000);
    // One with the same id is replaced.
    await create(id, { id: 'config-3' });
  });

  test('of 1.0 without an id is a new one each time, until the limit', async () => {
    const id = await hired();
    const made: unknown[] = [];
    for (let count = 0; count < 10; count++) made.push((await create(id)).id);
    expect(new Set(made).size).toBe(10);
    for (const config of [{}, { id: '' }])
      expect(await own.code('CreateTaskPushNotificationConfig', { taskId: id, url: url(), ...config })).toBe(
        -32000,
      );
    const { configs } = await own.result('ListTaskPushNotificationConfigs', { taskId: id });
    expect(Array.isArray(configs) ? configs.length : null).toBe(10);
    // The id of one that was made replaces it; without any, 0.3 has one that is the task's.
    await create(id, { id: String(made[0]) });
    await own.result('DeleteTaskPushNotificationConfig', { taskId: id, id: String(made[0]) });
    for (let count = 0; count < 3; count++)
      await own.result('tasks/pushNotificationConfig/set', {
        taskId: id,
        pushNotificationConfig: { url: url() },
      });
  });

  test('goes no further than a redirect, and a failure is not repeated', async () => {
    const id = await hired();
    await create(id);
    status = 302;
    await market.deliver(market.worker, id);
    await inbox.waitForRequest(1);
    await settled();
    expect(inbox.received.map(({ path }) => path)).toEqual(['/push']);
  });

  test('that responds slowly delays neither the move nor what others are told', async () => {
    const id = await hired();
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
    const slow = receiver(async () => {
      await answered;
      return new Response();
    });
    try {
      await create(id, { url: `http://127.0.0.1:${slow.port}/slow` });
      await create(id);
      await market.deliver(market.worker, id);
      await slow.waitForRequest(1);
      await inbox.waitForRequest(1);
      expect((await market.app.own.post(`${ENGAGEMENTS}/${id}/accept`, {})).status).toBe(200);
      await inbox.waitForRequest(2);
      expect(bodyOf(1)).toMatchObject({ task: { id, status: { state: 'TASK_STATE_COMPLETED' } } });
    } finally {
      answer();
      await settled();
      await slow.stop();
    }
  });

  test('is told of what others do with the escrow', async () => {
    const id = await hired();
    await create(id);
    await market.app.own.post(`${ENGAGEMENTS}/${id}/cancel`);
    await inbox.waitForRequest(1);
    expect(bodyOf(0)).toMatchObject({ task: { id, status: { state: 'TASK_STATE_CANCELED' } } });
  });
});

test('a closed operator is told no more of the task of an agent that left it', async () => {
  const { app, worker, independentAgent } = market;
  const { trust } = app.service;
  const leaver = await independentAgent();
  const { api_key } = await createKeyFor(trust, leaver.operatorId, {});
  const theirs = a2aClient(app.fetch, 'http://localhost', api_key);
  await app.own.post('/api/v1/passport/credits/transfers', {
    ...{ from_commitment: market.hirer.commitment, to_commitment: leaver.commitment, amount: 10 },
  });
  const hire = { ...terms(), hirer_commitment: leaver.commitment };
  const id = String((await theirs.send([{ data: hire }])).id);
  await theirs.result('CreateTaskPushNotificationConfig', { taskId: id, url: url() });
  const sponsor = `/api/v1/passport/agents/${leaver.commitment}/sponsor`;
  expect((await app.own.call('PUT', sponsor, { operator_id: null })).status).toBe(200);
  await market.deliver(worker, id, { outcome: 'failure' });
  await inbox.waitForRequest(1);
  await trust.store.writeAsService(({ connection: { sqlite } }) =>
    sqlite.run("UPDATE operator SET account_status = 'CLOSED' WHERE operator_id = ?", [leaver.operatorId]),
  );
  await market.deliver(worker, id);
  // Changes are told in their order.
  const later = await hired();
  await create(later, { url: url('/later') });
  await app.own.post(`${ENGAGEMENTS}/${later}/cancel`);
  await inbox.waitForRequest(2);
  await settled();
  expect([...new Set(inbox.received.slice(1).map(({ path }) => path))]).toEqual(['/later']);
});

test('a private address is refused unless the administrator allows it, and so is the task', async () => {
  const { app } = await openMarket();
  const me = a2aClient(app.fetch, 'http://localhost', app.apiKey);
  const message = { messageId: 'one', role: 'ROLE_USER', parts: [{ text: 'hello' }] };
  for (const target of [
    'http://127.0.0.1:1/',
    'https://169.254.169.254/',
    'https://[::1]/',
    'https://10.0.0.1/',
  ]) {
    const params = { message, configuration: { taskPushNotificationConfig: { url: target } } };
    expect([target, await me.code('SendMessage', params)]).toEqual([target, -32602]);
  }
  expect((await me.result('ListTasks', {})).totalSize).toBe(0);
  await app.close();
});

test('a FREE operator has fewer configurations, and those of ended tasks do not count', async () => {
  const { app } = await openMarket({
    settings: { 'webhooks.allow_private': 'on', 'quotas.free.webhooks': '1' },
  });
  const { operatorId } = await selfProvisionedAgent(app);
  const { api_key: key } = await createKeyFor(app.service.trust, operatorId, { role: 'issuer' });
  const me = a2aClient(app.fetch, 'http://localhost', key);
  const ids: unknown[] = [];
  for (let made = 0; made < 2; made++) {
    const { id } = await me.send([{ text: 'hello' }]);
    ids.push(id);
    for (let config = 0; config < 5; config++)
      await me.result('CreateTaskPushNotificationConfig', { taskId: id, url: url(), id: `config-${config}` });
  }
  const { id } = await me.send([{ text: 'hello' }]);
  expect(await me.code('CreateTaskPushNotificationConfig', { taskId: id, url: url() })).toBe(-32000);
  await me.result('CancelTask', { id: ids[0] });
  expect(await me.code('CreateTaskPushNotificationConfig', { taskId: id, url: url() })).toBeNull();
  await app.close();
});
