import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { A2A, a2aClient } from '../../../../support/a2a.ts';
import { enrolledAgent } from '../../../../support/agent.ts';
import { openTrustApp, type TrustApp } from '../../../../support/trust-app.ts';
import { doneWork } from '../../../../support/work.ts';

let app: TrustApp;
let own: ReturnType<typeof a2aClient>;
let anyone: ReturnType<typeof a2aClient>;
let task: Record<string, unknown>;
let cancelled: Record<string, unknown>;
beforeAll(async () => {
  app = await openTrustApp();
  own = a2aClient(app.fetch, 'http://localhost', app.apiKey);
  anyone = a2aClient(app.fetch, 'http://localhost', null);
  task = await own.send([{ text: 'hello' }]);
  cancelled = await own.send([{ text: 'hello' }]);
  await own.result('CancelTask', { id: cancelled.id });
});
afterAll(() => app.close());

const message = (more: Record<string, unknown> = {}) => ({
  messageId: crypto.randomUUID(),
  role: 'ROLE_USER',
  parts: [{ text: 'hello' }],
  ...more,
});
const call = (method: unknown, params: unknown = {}, id: unknown = 1) => ({
  jsonrpc: '2.0',
  id,
  method,
  params,
});
/** The params of a message by 0.1, without the id of its task. */
const GREETING = { message: { role: 'user', parts: [{ type: 'text', text: 'hello' }] } };
const codeOf = (body: unknown): unknown => Object(Object(body).error).code;

describe('a body that is no call', () => {
  const bodies: [name: string, body: string, code: number][] = [
    ['invalid JSON', '{"jsonrpc": "2.0", ', -32700],
    ['an empty body', '', -32700],
    ['a text that is no JSON', 'hello', -32700],
    ['a member twice', '{"jsonrpc":"2.0","id":1,"id":2,"method":"GetTask"}', -32700],
    ['an integer that no double holds', '{"jsonrpc":"2.0","id":9007199254740993,"method":"GetTask"}', -32700],
    ['JSON with 65 levels', `${'['.repeat(65)}${']'.repeat(65)}`, -32700],
    ['more than 20,000 elements', `[${'1,'.repeat(20_001)}1]`, -32700],
    ['a number', '1', -32600],
    ['null', 'null', -32600],
    ['a string', '"GetTask"', -32600],
    ['an empty object', '{}', -32600],
    ['an empty batch', '[]', -32600],
    [
      'a batch of more than 50 calls',
      JSON.stringify(Array.from({ length: 51 }, () => call('GetTask'))),
      -32600,
    ],
    ['another version of JSON-RPC', '{"jsonrpc":"1.0","id":1,"method":"GetTask"}', -32600],
    ['no version of JSON-RPC', '{"id":1,"method":"GetTask"}', -32600],
    ['no method', '{"jsonrpc":"2.0","id":1}', -32600],
    ['a method that is a number', '{"jsonrpc":"2.0","id":1,"method":7}', -32600],
    ['params that are a string', '{"jsonrpc":"2.0","id":1,"method":"GetTask","params":"x"}', -32600],
    ['params that are null', '{"jsonrpc":"2.0","id":1,"method":"GetTask","params":null}', -32600],
    ['params that are a list', '{"jsonrpc":"2.0","id":1,"method":"GetTask","params":[]}', -32602],
    ['an id that is an object', '{"jsonrpc":"2.0","id":{},"method":"GetTask"}', -32600],
    ['an id that is infinite', '{"jsonrpc":"2.0","id":1e400,"method":"GetTask","params":{"id":"a"}}', -32600],
    ['an id that is true', '{"jsonrpc":"2.0","id":true,"method":"GetTask"}', -32600],
  ];
  test.each(bodies)(
    '%s is answered with status 200 and the code of JSON-RPC, with and without a key',
    async (_, body, code) => {
      for (const who of [own, anyone]) {
        const response = await who.post(body);
        expect([response.status, response.body.jsonrpc, codeOf(response.body)]).toEqual([200, '2.0', code]);
      }
    },
  );

  test('with another media type is 415, and one that is too large 413', async () => {
    const text = await own.post(JSON.stringify(call('GetTask')), { 'content-type': 'text/plain' });
    expect(text.status).toBe(415);
    const large = await own.post(JSON.stringify(call('GetTask', { id: 'x'.repeat(1_100_000) })));
    expect(large.status).toBe(413);
  });
});

describe('an id', () => {
  test.each([
    ['a string', 'seven'],
    ['an empty string', ''],
    ['an integer', 7],
    ['a fraction', 7.5],
    ['zero', 0],
    ['negative', -1],
    ['null', null],
  ])('that is %s is returned as it is', async (_, id) => {
    const { body } = await own.post(call('GetTask', { id: task.id }, id));
    expect([body.id, Object(body.result).id]).toEqual([id, task.id]);
  });

  test('of a call that is no call is returned where it can be', async () => {
    expect((await own.post({ id: 'seven' })).body).toMatchObject({ id: 'seven', error: { code: -32600 } });
    expect((await own.post({ id: [1] })).body).toMatchObject({ id: null, error: { code: -32600 } });
  });
});

describe('a batch', () => {
  test('with rubbish answers every call in order, and the rubbish with errors', async () => {
    const { status, body } = await own.post([
      1,
      call('GetTask', { id: task.id }, 'a'),
      null,
      call('Nonsense', {}, 'b'),
      [],
      call('CancelTask', { id: cancelled.id }, 'c'),
      { jsonrpc: '2.0', method: 'GetTask', params: { id: task.id } },
    ]);
    expect(status).toBe(200);
    const answers: unknown[] = Array.isArray(body) ? body : [];
    expect(answers.map((one) => [Object(one).id, codeOf(one) ?? 'result'])).toEqual([
      [null, -32600],
      ['a', 'result'],
      [null, -32600],
      ['b', -32601],
      [null, -32600],
      ['c', -32002],
    ]);
  });

  test('with one call that needs a key needs the key', async () => {
    const batch = [call('GetTask', { id: task.id }), call('ListTasks')];
    const { status, headers } = await anyone.post(batch);
    expect([status, headers.get('www-authenticate')]).toEqual([401, expect.stringMatching(/^Bearer/)]);
    expect((await anyone.post([call('GetTask', { id: task.id })])).status).toBe(200);
    expect((await own.post(batch)).status).toBe(200);
  });

  test('returns what its calls did also where one of them is refused for a reason of the service', async () => {
    const { commitment } = await enrolledAgent(app);
    await doneWork(app, commitment, ['success']);
    // No checkpoint covers the evidence, so nothing can be issued.
    const issue = message({
      parts: [{ data: { skill: 'issue_credential', subject_commitment: commitment } }],
    });
    const { status, body } = await own.post([
      call('SendMessage', { message: message() }, 'a'),
      call('SendMessage', { message: issue }, 'b'),
      call('SendMessage', { message: message() }, 'c'),
    ]);
    const [first, second, third]: unknown[] = Array.isArray(body) ? body : [];
    expect([status, Object(first).id, codeOf(second), Object(third).id]).toEqual([200, 'a', -32000, 'c']);
    expect(JSON.stringify(second)).toContain('"reason":"OVERLOADED"');
    expect([first, third].map((one) => typeof Object(one).result)).toEqual(['object', 'object']);
  });

  test('with a number that no double holds refuses that call only', async () => {
    const sent = (data: string, id: string) =>
      JSON.stringify(call('SendMessage', { message: message({ parts: [{ data: 'HERE' }] }) }, id)).replace(
        '"HERE"',
        data,
      );
    const { status, body } = await own.post(
      `[${sent('1', 'a')},${sent('{"n":1e999}', 'b')},${sent('2', 'c')}]`,
    );
    const answers: unknown[] = Array.isArray(body) ? body : [];
    expect([status, answers.map((one) => [Object(one).id, codeOf(one) ?? 'result'])]).toEqual([
      200,
      [
        ['a', 'result'],
        ['b', -32602],
        ['c', 'result'],
      ],
    ]);
  });

  test('runs no further calls once its responses are large', async () => {
    const { id, contextId } = await own.send([{ text: 'x'.repeat(60_000) }]);
    for (let count = 0; count < 18; count++)
      await own.send([{ text: 'x'.repeat(60_000) }], { taskId: id, contextId });
    const { body } = await own.post(Array.from({ length: 50 }, () => call('GetTask', { id })));
    const answers: unknown[] = Array.isArray(body) ? body : [];
    expect(answers).toHaveLength(50);
    expect(answers.filter((one) => Object(one).result !== undefined).length).toBeLessThan(6);
    expect(JSON.stringify(answers.at(-1))).toContain('BATCH_TOO_LARGE');
    // The results of calls without an id count as well, and after them nothing is run either.
    const silent = { jsonrpc: '2.0', method: 'GetTask', params: { id } };
    const late = { jsonrpc: '2.0', method: 'tasks/send', params: { ...GREETING, id: 'too late' } };
    const notified = await own.post([
      ...Array.from({ length: 48 }, () => silent),
      late,
      call('GetTask', { id }),
    ]);
    expect(JSON.stringify(notified.body)).toContain('BATCH_TOO_LARGE');
    expect(await own.code('tasks/get', { id: 'too late' })).toBe(-32001);
  });

  test('lets others have a turn after each call', async () => {
    let turns = 0;
    let isOver = false;
    const count = () => {
      turns += 1;
      if (!isOver) setImmediate(count);
    };
    setImmediate(count);
    const { body } = await own.post(Array.from({ length: 50 }, () => call('ListTasks')));
    isOver = true;
    expect([Array.isArray(body) && body.length, turns >= 49]).toEqual([50, true]);
  });

  test('begins no call after its client has disconnected, and keeps what it did', async () => {
    const app = await openTrustApp();
    const me = a2aClient(app.fetch, 'http://localhost', app.apiKey);
    const disconnected = new AbortController();
    const ids = Array.from({ length: 50 }, (_, index) => `mine ${index}`);
    const response = app.fetch(
      new Request(`http://localhost${A2A}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${app.apiKey}`, 'content-type': 'application/json' },
        body: JSON.stringify(ids.map((id) => call('tasks/send', { ...GREETING, id }))),
        signal: disconnected.signal,
      }),
    );
    while ((await me.code('tasks/get', { id: 'mine 0' })) !== null) await Bun.sleep(0);
    disconnected.abort();
    await response;
    const { totalSize } = await me.result('ListTasks', {});
    expect([Number(totalSize) >= 1, Number(totalSize) < 50]).toEqual([true, true]);
    await app.close();
  });
});

describe('a notification', () => {
  test('does its work and has no response, also where it fails', async () => {
    const sent = {
      jsonrpc: '2.0',
      method: 'tasks/send',
      params: { id: 'notified', message: { role: 'user', parts: [{ type: 'text', text: 'hello' }] } },
    };
    const response = await app.own.call('POST', A2A, sent);
    expect([response.status, response.body]).toEqual([204, {}]);
    expect(Object(await own.result('tasks/get', { id: 'notified' })).id).toBe('notified');
    const batch = await own.post([
      { jsonrpc: '2.0', method: 'GetTask' },
      { jsonrpc: '2.0', method: 'Nonsense' },
      { jsonrpc: '2.0', method: 'GetTask', params: [] },
    ]);
    expect([batch.status, batch.body]).toEqual([204, {}]);
  });

  test('that needs a key needs it', async () => {
    expect((await anyone.post({ jsonrpc: '2.0', method: 'ListTasks' })).status).toBe(401);
  });
});

describe('a method', () => {
  test('is 401 with a wrong key also where it needs none', async () => {
    const headers = { authorization: `Bearer pp_${'0'.repeat(64)}` };
    expect((await anyone.post(call('GetTask', { id: task.id }), headers)).status).toBe(401);
    expect((await anyone.post('{', headers)).body).toMatchObject({ error: { code: -32700 } });
  });

  test('that needs a key is 401 with a challenge without one, with a wrong one and with a wrong scheme', async () => {
    for (const method of [
      'tasks/send',
      'tasks/cancel',
      'tasks/list',
      'message/send',
      'SendMessage',
      'CancelTask',
      'ListTasks',
    ]) {
      for (const authorization of [
        '',
        `Bearer pp_${'0'.repeat(64)}`,
        'Basic cHA6cHA=',
        `Bearer ${app.apiKey}x`,
      ]) {
        const headers: Record<string, string> = authorization === '' ? {} : { authorization };
        const { status, headers: answered } = await anyone.post(call(method), headers);
        expect([method, status, answered.get('www-authenticate')]).toEqual([
          method,
          401,
          expect.stringMatching(/^Bearer/),
        ]);
      }
    }
  });

  test.each([
    ['unknown', 'Nonsense', -32601],
    ['a member of every object', 'constructor', -32601],
    ['empty', '', -32601],
    ['of another case', 'sendmessage', -32601],
    ['the extended card of 0.3', 'agent/getAuthenticatedExtendedCard', -32007],
    ['the extended card of 1.0', 'GetExtendedAgentCard', -32004],
  ])('that is %s is refused with its code', async (_, method, code) => {
    for (const who of [own, anyone]) expect(await who.code(method, {})).toBe(code);
  });

  test('of a version that the service does not have is refused, and an unknown patch is not', async () => {
    for (const [version, code] of [
      ['2.0', -32009],
      ['0.5', -32009],
      ['rubbish', -32009],
      ['1.0', undefined],
      ['1.0.7', undefined],
      ['0.3', undefined],
      [' ', undefined],
    ] as const) {
      const { body } = await own.post(call('GetTask', { id: task.id }), { 'a2a-version': version });
      expect([version, codeOf(body)]).toEqual([version, code]);
    }
  });

  test('names what is wrong with params', async () => {
    const { error } = await own.call('SendMessage', { message: { role: 'ROLE_AGENT', parts: [] } });
    const [, details] = Object(error).data;
    expect(Object(error).code).toBe(-32602);
    expect(Object(details).fieldViolations.map(({ field }: { field: string }) => field)).toEqual([
      'message.role',
      'message.messageId',
      'message.parts',
    ]);
  });
});

describe('wrong params', () => {
  const refused: [name: string, method: string, params: () => Record<string, unknown>, code: number][] = [
    ['no message', 'SendMessage', () => ({}), -32602],
    ['a message that is a list', 'SendMessage', () => ({ message: [] }), -32602],
    ['a part that is null', 'SendMessage', () => ({ message: message({ parts: [null] }) }), -32602],
    ['a part without content', 'SendMessage', () => ({ message: message({ parts: [{}] }) }), -32602],
    [
      'a text that is a number',
      'message/send',
      () => ({ message: message({ role: 'user', parts: [{ kind: 'text', text: 1 }] }) }),
      -32602,
    ],
    [
      'a kind that is none',
      'message/send',
      () => ({ message: message({ role: 'user', parts: [{ kind: 'smell' }] }) }),
      -32602,
    ],
    [
      'too many parts',
      'SendMessage',
      () => ({ message: message({ parts: Array.from({ length: 65 }, () => ({ text: 'x' })) }) }),
      -32602,
    ],
    [
      'a message above its limit',
      'SendMessage',
      () => ({ message: message({ parts: [{ text: 'x'.repeat(66_000) }] }) }),
      -32602,
    ],
    ['metadata that is a list', 'SendMessage', () => ({ message: message({ metadata: [] }) }), -32602],
    [
      'an id that is too long',
      'SendMessage',
      () => ({ message: message({ messageId: 'x'.repeat(129) }) }),
      -32602,
    ],
    [
      'a context with a control character',
      'SendMessage',
      () => ({ message: message({ contextId: '\u0000' }) }),
      -32602,
    ],
    [
      "a client's id of a task with a control character",
      'tasks/send',
      () => ({ id: '\u0000x', message: { role: 'user', parts: [{ type: 'text', text: 'hello' }] } }),
      -32602,
    ],
    ['a session with a control character', 'tasks/list', () => ({ sessionId: 'a\nb' }), -32602],
    ['a history of a fraction', 'GetTask', () => ({ id: task.id, historyLength: 1.5 }), -32602],
    ['a negative history', 'GetTask', () => ({ id: task.id, historyLength: -1 }), -32602],
    ['a history that is text', 'tasks/get', () => ({ id: task.id, historyLength: '5' }), -32602],
    ['no id', 'GetTask', () => ({}), -32602],
    ['an id that is a number', 'CancelTask', () => ({ id: 1 }), -32602],
    ['an empty id', 'tasks/get', () => ({ id: '' }), -32602],
    ['a page of 0', 'ListTasks', () => ({ pageSize: 0 }), -32602],
    ['a page of 101', 'ListTasks', () => ({ pageSize: 101 }), -32602],
    ['a token of another list', 'ListTasks', () => ({ pageToken: 'rubbish' }), -32602],
    ['an unknown state', 'ListTasks', () => ({ status: 'TASK_STATE_RUNNING' }), -32602],
    ['a state of another generation', 'tasks/list', () => ({ status: 'TASK_STATE_WORKING' }), -32602],
    ['a time that is none', 'ListTasks', () => ({ statusTimestampAfter: 'yesterday' }), -32602],
    [
      'a file of 0.3',
      'message/send',
      () => ({
        message: message({ role: 'user', parts: [{ kind: 'file', file: { uri: 'https://example.com' } }] }),
      }),
      -32005,
    ],
    [
      'a file of 1.0',
      'SendMessage',
      () => ({ message: message({ parts: [{ url: 'https://example.com' }] }) }),
      -32005,
    ],
    ['bytes of 1.0', 'SendMessage', () => ({ message: message({ parts: [{ raw: 'AAAA' }] }) }), -32005],
    [
      'only pictures accepted',
      'SendMessage',
      () => ({ message: message(), configuration: { acceptedOutputModes: ['image/png'] } }),
      -32005,
    ],
    ['an unknown task', 'GetTask', () => ({ id: 'nothing' }), -32001],
    ["an unknown id of the service's form", 'GetTask', () => ({ id: `a2a_${'0'.repeat(32)}` }), -32001],
    ['an unknown task to cancel', 'tasks/cancel', () => ({ id: 'nothing' }), -32001],
    [
      'a message to an unknown task',
      'SendMessage',
      () => ({ message: message({ taskId: 'nothing' }) }),
      -32001,
    ],
    [
      "a new task with an id of the service's form",
      'tasks/send',
      () => ({ id: `a2a_${'0'.repeat(32)}`, message: message() }),
      -32001,
    ],
    ['cancelling a task that ended', 'CancelTask', () => ({ id: cancelled.id }), -32002],
    [
      'a message to a task that ended',
      'SendMessage',
      () => ({ message: message({ taskId: cancelled.id }) }),
      -32004,
    ],
    [
      'a message with another context',
      'SendMessage',
      () => ({ message: message({ taskId: task.id, contextId: 'other' }) }),
      -32602,
    ],
  ];
  test.each(refused)('%s (%s) is refused with its code', async (_, method, params, code) => {
    expect(await own.code(method, params())).toBe(code);
  });

  test('a huge history returns what there is', async () => {
    for (const historyLength of [2_147_483_647, 100, 1]) {
      const { history } = await own.result('GetTask', { id: task.id, historyLength });
      expect(Array.isArray(history) ? history.length : 0).toBe(Math.min(historyLength, 2));
    }
    expect(await own.result('GetTask', { id: task.id, historyLength: 0 })).not.toHaveProperty('history');
    expect(await own.code('GetTask', { id: task.id, historyLength: 2_147_483_648 })).toBe(-32602);
  });
});
