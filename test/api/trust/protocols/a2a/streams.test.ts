import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import { setAccountStatus } from '../../../../../src/trust/pages/dashboard/set-account-status.ts';
import { A2A, a2aClient } from '../../../../support/a2a.ts';
import { createKeyFor } from '../../../../support/api-keys.ts';
import { ENGAGEMENTS, type Market, openMarket } from '../../../../support/engagements.ts';
import { SseReader } from '../../../../support/sse.ts';
import { VirtualTime } from '../../../../support/virtual-time.ts';

type Json = Record<string, unknown>;

let market: Market;
let time: VirtualTime;
const readers: SseReader[] = [];
beforeAll(async () => {
  time = new VirtualTime();
  market = await openMarket({ credits: { promotional: 100_000 } }, time);
});
afterEach(async () => {
  for (const reader of readers.splice(0)) await reader.close();
});
afterAll(() => market.app.close());

const streams = () => market.app.service.trust.taskStreams;
const send = (method: string, params: Json, key: string | null = market.app.apiKey, id: unknown = 7) =>
  market.app.fetch(
    new Request(`http://localhost${A2A}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(key === null ? {} : { authorization: `Bearer ${key}` }),
      },
      body: JSON.stringify({ jsonrpc: '2.0', id, method, params }),
    }),
  );
async function stream(method: string, params: Json, key?: string | null, id?: unknown): Promise<SseReader> {
  const response = await send(method, params, key, id);
  if (response.headers.get('content-type') !== 'text/event-stream')
    throw new Error(`no stream: ${response.status} ${await response.text()}`);
  const reader = new SseReader(response);
  readers.push(reader);
  return reader;
}
const own = () => a2aClient(market.app.fetch, 'http://localhost', market.app.apiKey);
const terms = (amount = 10) => ({
  skill: 'hire_agent',
  hirer_commitment: market.hirer.commitment,
  worker_commitment: market.worker.commitment,
  amount,
});
const hired = async (): Promise<string> => String((await own().send([{ data: terms() }])).id);
const accept = (taskId: string) => own().send([{ text: 'accept' }], { taskId });

/** How each generation sends a message, follows a task and writes what a test looks at. */
const GENERATIONS = {
  '0.1': {
    send: 'tasks/sendSubscribe',
    follow: 'tasks/resubscribe',
    message: (part: Json, id: string = crypto.randomUUID()) => ({
      id,
      message: { role: 'user', parts: [{ type: 'data' in part ? 'data' : 'text', ...part }] },
    }),
    seen: ({ result, id }: Json) => {
      const { status, final, artifact, sessionId } = Object(result);
      return {
        id,
        state: status?.state,
        final,
        artifact: artifact?.lastChunk,
        isTask: sessionId !== undefined,
      };
    },
  },
  '0.3': {
    send: 'message/stream',
    follow: 'tasks/resubscribe',
    message: (part: Json, taskId?: string) => ({
      message: {
        kind: 'message',
        role: 'user',
        messageId: crypto.randomUUID(),
        ...(taskId === undefined ? {} : { taskId }),
        parts: [{ kind: 'data' in part ? 'data' : 'text', ...part }],
      },
    }),
    seen: ({ result, id }: Json) => {
      const { kind, status, final, lastChunk } = Object(result);
      return { id, state: status?.state, final, artifact: lastChunk, isTask: kind === 'task' };
    },
  },
  '1.0': {
    send: 'SendStreamingMessage',
    follow: 'SubscribeToTask',
    message: (part: Json, taskId?: string) => ({
      message: {
        role: 'ROLE_USER',
        messageId: crypto.randomUUID(),
        ...(taskId === undefined ? {} : { taskId }),
        parts: [part],
      },
    }),
    seen: ({ result, id }: Json) => {
      const { task, statusUpdate, artifactUpdate } = Object(result);
      const state = (task ?? statusUpdate)?.status?.state;
      return {
        id,
        state: state?.replace('TASK_STATE_', '').toLowerCase().replace('_', '-'),
        final: statusUpdate?.final,
        artifact: artifactUpdate?.lastChunk,
        isTask: task !== undefined,
      };
    },
  },
} as const;
type Generation = keyof typeof GENERATIONS;
const ALL: Generation[] = ['0.1', '0.3', '1.0'];

describe.each(ALL)('a stream of %s', (generation) => {
  const { send: sends, follow, message, seen } = GENERATIONS[generation];
  const isNew = generation === '1.0';
  const status = (state: string, final: boolean) => ({
    id: 7,
    state,
    final: isNew ? undefined : final,
    artifact: undefined,
    isTask: false,
  });
  const task = (state: string) => ({ id: 7, state, final: undefined, artifact: undefined, isTask: true });
  const begin = (state: string, final: boolean) =>
    generation === '0.1'
      ? [status(state, final)]
      : [task(state), ...(final && !isNew ? [status(state, true)] : [])];
  const artifact = { id: 7, state: undefined, final: undefined, artifact: true, isTask: false };

  test('that a message begins tells of the delivery, and the next one of the payment', async () => {
    const clientId = `task-${crypto.randomUUID()}`;
    const first = await stream(
      sends,
      message({ data: terms() }, generation === '0.1' ? clientId : undefined),
    );
    const started = await first.next();
    expect([seen(Object(started))]).toEqual(begin('working', false));
    const { id = '', taskId = '', task: of } = Object(Object(started).result);
    const name = String(of?.id ?? (generation === '0.1' ? id : id || taskId));
    const { metadata } = await own().result('GetTask', { id: name });
    await market.deliver(market.worker, String(Object(metadata).taskId));
    expect((await first.rest()).map(seen)).toEqual([status('input-required', true)]);
    const second = await stream(sends, message({ text: 'accept' }, name));
    const events = (await second.rest()).map(seen);
    expect(events).toEqual(
      generation === '0.1' ? [artifact, status('completed', true)] : begin('completed', true),
    );
  });

  test('that follows a task tells of each change until its end', async () => {
    const id = await hired();
    const reader = await stream(follow, { id });
    expect(seen(Object(await reader.next()))).toEqual(task('working'));
    await market.deliver(market.worker, id);
    expect(seen(Object(await reader.next()))).toEqual(status('input-required', false));
    await accept(id);
    expect((await reader.rest()).map(seen)).toEqual([artifact, status('completed', true)]);
  });

  test('of a message that completes its task at once has the whole task', async () => {
    const reader = await stream(
      sends,
      message({ data: { skill: 'lookup_reputation', subject_commitment: market.worker.commitment } }),
    );
    const events = (await reader.rest()).map(seen);
    expect(events).toEqual(
      generation === '0.1' ? [artifact, status('completed', true)] : begin('completed', true),
    );
  });

  test('of a task that has ended', async () => {
    const id = await hired();
    await own().result('CancelTask', { id });
    if (isNew) {
      const response = await send(follow, { id });
      expect(Object(await response.json()).error.code).toBe(-32004);
    } else {
      const reader = await stream(follow, { id });
      expect((await reader.rest()).map(seen)).toEqual([task('canceled'), status('canceled', true)]);
    }
  });
});

describe('a stream', () => {
  const follow = (id: string, key?: string | null) => stream('SubscribeToTask', { id }, key);
  const stateOf = (event: Json | null): unknown => {
    const { task, statusUpdate } = Object(Object(event).result);
    return (task ?? statusUpdate)?.status?.state;
  };

  test.each<[string, (id: string) => Promise<unknown>, string]>([
    ['REST', (id) => market.app.own.post(`${ENGAGEMENTS}/${id}/cancel`), 'TASK_STATE_CANCELED'],
    [
      'a message to the task',
      (id) => own().send([{ text: 'cancel' }], { taskId: id }),
      'TASK_STATE_CANCELED',
    ],
    ['evidence', (id) => market.deliver(market.worker, id), 'TASK_STATE_INPUT_REQUIRED'],
    [
      'evidence of a failure',
      (id) => market.deliver(market.worker, id, { outcome: 'failure' }),
      'TASK_STATE_WORKING',
    ],
  ])('tells of what is done by %s', async (_, change, state) => {
    const id = await hired();
    const reader = await follow(id);
    await reader.next();
    time.advance(10);
    await change(id);
    expect(stateOf(await reader.next())).toBe(state);
  });

  test('tells of the end of its deadline and of a payment by silence', async () => {
    const deadline = new Date(time.now() + 60_000).toISOString();
    const due = String((await own().send([{ data: { ...terms(), deadline } }])).id);
    const silent = await hired();
    await market.deliver(market.worker, silent);
    const [first, second] = [await follow(due), await follow(silent)];
    await Promise.all([first.next(), second.next()]);
    time.advance(73 * 3_600_000);
    await market.endDue();
    expect([
      stateOf((await first.rest()).at(-1) ?? null),
      stateOf((await second.rest()).at(-1) ?? null),
    ]).toEqual(['TASK_STATE_FAILED', 'TASK_STATE_COMPLETED']);
  });

  test("of a stranger shows what the task shows to strangers, and needs the service's id", async () => {
    const id = await hired();
    const reader = await follow(id, null);
    expect(Object(Object(await reader.next()).result).task).not.toHaveProperty('history');
    await market.deliver(market.worker, id);
    const { statusUpdate } = Object(Object(await reader.next()).result);
    expect(statusUpdate.status).not.toHaveProperty('message');
    expect(statusUpdate.metadata.escrow.status).toBe('DELIVERED');
    await accept(id);
    // The artifact is for the owner only.
    const rest = await reader.rest();
    expect(rest.map(({ result }) => Object.keys(Object(result)))).toEqual([['statusUpdate']]);
    const { body } = await market.app.anyone.post(A2A, {
      ...{ jsonrpc: '2.0', id: 1, method: 'SubscribeToTask', params: { id: 'a-client-id' } },
    });
    expect(body.reason_code).toBe('unauthorized');
  });

  test('of an unknown task is an error, and takes no slot', async () => {
    const before = streams().size;
    const response = await send('SubscribeToTask', { id: `a2a_${'0'.repeat(32)}` });
    expect(Object(await response.json()).error.code).toBe(-32001);
    expect(streams().size).toBe(before);
  });

  test('ends with an error when its key is deleted, and when its operator is suspended', async () => {
    const id = await hired();
    const { trust, firstStart } = market.app.service;
    const { api_key, keyHash } = await createKeyFor(trust, firstStart.operatorId, { role: 'issuer' });
    const ofKey = await follow(id, api_key);
    await ofKey.next();
    expect((await market.app.own.call('DELETE', `/api/v1/operator/api-keys/${keyHash}`)).status).toBe(200);
    const errors = (await ofKey.rest()).map(({ error }) => Object(error).data?.[0]?.reason);
    expect(errors).toEqual(['UNAUTHORIZED']);
    // A stranger's task: the other operator sees only what is public.
    const ofOther = await follow(id, market.app.otherKey);
    await ofOther.next();
    await setAccountStatus(trust, market.app.otherId, 'SUSPENDED');
    expect((await ofOther.rest()).map(({ error }) => Object(error).code)).toEqual([-32000]);
    const refused = await send('SubscribeToTask', { id }, market.app.otherKey);
    expect(Object(await refused.json()).error.message).toContain('can only read');
    await setAccountStatus(trust, market.app.otherId, 'ACTIVE');
  });

  test('ends for every caller whose right ends, also where several end at once', async () => {
    const id = await hired();
    const { trust, firstStart } = market.app.service;
    const keys = await Promise.all(
      [1, 2, 3].map(() => createKeyFor(trust, firstStart.operatorId, { role: 'issuer' })),
    );
    const all = await Promise.all(
      keys.flatMap(({ api_key }) => Array.from({ length: 20 }, () => follow(id, api_key))),
    );
    await Promise.all(
      keys.map(({ keyHash }) => market.app.own.call('DELETE', `/api/v1/operator/api-keys/${keyHash}`)),
    );
    const ends = await Promise.all(all.map(async (reader) => Object((await reader.rest()).at(-1)).error));
    expect(ends.map((error) => Object(error).data?.[0]?.reason)).toEqual(all.map(() => 'UNAUTHORIZED'));
  });

  test('frees its slot when its client leaves', async () => {
    const id = await hired();
    const before = streams().size;
    const reader = await follow(id);
    await reader.next();
    expect(streams().size).toBe(before + 1);
    await reader.close();
    expect(streams().size).toBe(before);
  });

  test('is not for a batch, nor for an id that each event would repeat', async () => {
    const id = await hired();
    const call = { jsonrpc: '2.0', id: 1, method: 'SubscribeToTask', params: { id } };
    const { body } = await market.app.own.post(A2A, [call, { ...call, method: 'GetTask' }]);
    const codes = Array.isArray(body) ? body.map(({ error }) => error?.code ?? null) : [];
    expect(codes).toEqual([-32004, null]);
    const long = await send('SubscribeToTask', { id }, undefined, 'x'.repeat(300));
    expect(Object(await long.json()).error.code).toBe(-32600);
    const without = await market.app.own.post(A2A, { ...call, id: undefined });
    expect(without.status).toBe(204);
  });

  test('that its client never reads holds less than 10 KiB, whatever happens to the task', async () => {
    const used = (): number => {
      Bun.gc(true);
      return process.memoryUsage().heapUsed;
    };
    const id = await hired();
    const open = async (count: number): Promise<Response[]> => {
      const responses: Response[] = [];
      while (responses.length < count) responses.push(await send('SubscribeToTask', { id }));
      return responses;
    };
    const unread = await open(100);
    const before = used();
    unread.push(...(await open(800)));
    for (let failures = 0; failures < 30; failures++) {
      time.advance(10);
      await market.deliver(market.worker, id, { outcome: 'failure', reason: String(failures) });
    }
    expect((used() - before) / 800).toBeLessThan(10 * 1024);
    expect(streams().size).toBe(900);
    // The newest state is still told to one who reads at last.
    await market.deliver(market.worker, id);
    const [late] = unread;
    if (late === undefined) throw new Error('no stream was opened');
    const reader = new SseReader(late);
    expect(stateOf(await reader.next())).toBe('TASK_STATE_WORKING');
    await accept(id);
    expect(stateOf((await reader.rest()).at(-1) ?? null)).toBe('TASK_STATE_COMPLETED');
    for (const { body } of unread) if (body?.locked === false) await body.cancel();
    expect(streams().size).toBe(0);
  });

  test('to 1,000 readers of one task tells each of them once, in the order of the changes', async () => {
    const id = await hired();
    const all = await Promise.all(Array.from({ length: 900 }, () => follow(id)));
    await market.deliver(market.worker, id);
    await accept(id);
    const states = await Promise.all(all.map(async (reader) => (await reader.rest()).map(stateOf)));
    const inOrder = states.every(
      (seen) => seen[0] === 'TASK_STATE_WORKING' && seen.at(-1) === 'TASK_STATE_COMPLETED',
    );
    expect([inOrder, streams().size]).toEqual([true, 0]);
  });
});

test('too many streams are 429 with a time to wait, before the message does anything', async () => {
  const small = await openMarket({
    credits: { promotional: 100 },
    settings: { 'a2a.streams_per_caller': '10' },
  });
  const { hirer, worker, app } = small;
  const call = (method: string, params: Json, key: string | null) =>
    app.fetch(
      new Request(`http://localhost${A2A}`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...(key === null ? {} : { authorization: `Bearer ${key}` }),
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      }),
    );
  const part = {
    data: {
      ...{ skill: 'hire_agent', amount: 10 },
      ...{ hirer_commitment: hirer.commitment, worker_commitment: worker.commitment },
    },
  };
  const me = a2aClient(app.fetch, 'http://localhost', app.apiKey);
  const { id } = await me.send([part]);
  const open: Response[] = [];
  while (open.length < 10) open.push(await call('SubscribeToTask', { id }, app.apiKey));
  const message = { messageId: 'one', role: 'ROLE_USER', parts: [part] };
  const refused = await call('SendStreamingMessage', { message }, app.apiKey);
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '10']);
  expect(Object(await refused.json()).error).toContain('You have 10 open streams');
  expect((await me.result('ListTasks', {})).totalSize).toBe(1);
  // An address without a key has a tenth of them.
  open.push(await call('SubscribeToTask', { id }, null));
  expect((await call('SubscribeToTask', { id }, null)).status).toBe(429);
  for (const { body } of open) await body?.cancel();
  expect((await call('SubscribeToTask', { id }, app.apiKey)).status).toBe(200);
  await app.close();
});
