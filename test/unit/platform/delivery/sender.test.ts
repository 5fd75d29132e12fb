import { Database } from 'bun:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { Webhook } from 'standardwebhooks';
import type { Endpoint } from '../../../../src/platform/delivery/attempt.ts';
import outboxTable from '../../../../src/platform/delivery/outbox.sql' with { type: 'text' };
import { Sender } from '../../../../src/platform/delivery/sender.ts';
import { newWebhookSecret } from '../../../../src/platform/delivery/signature.ts';
import { outbox } from '../../../../src/platform/delivery/store.ts';
import { openStore, type Store } from '../../../../src/platform/store/store.ts';
import { type Receiver, receiver } from '../../../support/receiver.ts';
import { eventually, VirtualTime } from '../../../support/virtual-time.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

interface Row {
  delivery_id: string;
  state: string;
  attempts: number;
  url: string;
  last_status: number | null;
  last_error: string | null;
}

let directory: string;
let file: string;
let store: Store;
let time: VirtualTime;
let lines: string[];
let endpoints: Map<string, Endpoint>;
let stopped: { stop(graceMs: number): Promise<void> }[];

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'countersign-sender-'));
  file = join(directory, 'test.db');
  const database = new Database(file, { create: true });
  database.run('PRAGMA journal_mode = WAL');
  database.exec(outboxTable);
  database.close();
  const failed = (error: unknown): void => void lines.push(String(error));
  store = openStore(file, 'memory', { failed, group: () => undefined });
  time = new VirtualTime();
  lines = [];
  endpoints = new Map();
  stopped = [];
});
afterEach(async () => {
  for (const part of stopped) await part.stop(0);
  await store.close();
  rmSync(directory, { recursive: true });
});

function newSender(endpoint = async (_: unknown, name: string) => endpoints.get(name) ?? null): Sender {
  const sender = new Sender({
    store,
    outbox,
    endpoint,
    attemptOptions: { targets: { allowPrivate: true, resolve: async () => ['127.0.0.1'] }, timeoutMs: 5000 },
    clock: time,
    timers: time,
    log: pino({}, { write: (line: string) => void lines.push(line) }),
    random: () => 0.5,
  });
  stopped.push(sender);
  return sender;
}

async function startedSender(): Promise<Sender> {
  const sender = newSender();
  await sender.start();
  return sender;
}

/** Starts a receiver, and an endpoint of that name which it serves. */
function serves(name: string, respond: Parameters<typeof receiver>[0]): Receiver {
  const made = receiver(respond);
  stopped.push(made);
  endpoints.set(name, {
    url: `http://hooks.example:${made.port}/${name}`,
    owner: name,
    secret: newWebhookSecret(),
  });
  return made;
}

function enqueue(sender: Sender, endpoint: string, body = '{"n":1}'): Promise<string> {
  const url = endpoints.get(endpoint)?.url ?? 'https://gone.example/';
  return store.writeAsService((tx) =>
    sender.enqueueIn(tx, { owner: 'somebody', endpoint, url, eventType: 'a.b', body }),
  );
}

function rows(): Promise<Row[]> {
  return store.read(({ connection }) =>
    connection.sqlite
      .query<Row, []>(
        `SELECT 'msg_' || lower(hex(delivery_id)) AS delivery_id, state, attempts, url, last_status, last_error
         FROM delivery ORDER BY delivery_seq`,
      )
      .all(),
  );
}

async function counts(state: string): Promise<number> {
  return (await rows()).filter((row) => row.state === state).length;
}

/**
 * Waits until the first delivery has had so many tries, and a timer waits for the next one if there is one.
 */
async function tried(attempts: number): Promise<void> {
  await eventually(async () => {
    const [row] = await rows();
    return row?.attempts === attempts && (row.state !== 'pending' || time.waiting === 1);
  });
}

describe('a delivery', () => {
  test('arrives, signed, under the id that the transaction was told', async () => {
    const to = serves('one', () => new Response(null, { status: 204 }));
    const sender = await startedSender();
    const id = await enqueue(sender, 'one');
    await eventually(async () => (await counts('delivered')) === 1);
    const [heard] = to.received;
    const verified = new Webhook(endpoints.get('one')?.secret ?? '').verify(
      heard?.body ?? '',
      heard?.headers ?? {},
    );
    expect(verified).toEqual({ n: 1 });
    expect(heard?.headers['webhook-id']).toBe(id);
    expect(await rows()).toEqual([
      {
        delivery_id: id,
        state: 'delivered',
        attempts: 1,
        url: endpoints.get('one')?.url ?? '',
        last_status: 204,
        last_error: null,
      },
    ]);
  });

  test('is not sent when its transaction fails', async () => {
    const to = serves('one', () => new Response());
    const sender = await startedSender();
    const failing = store.writeAsService(async (tx) => {
      await sender.enqueueIn(tx, {
        owner: 'somebody',
        endpoint: 'one',
        url: 'http://a/',
        eventType: 'a.b',
        body: '{}',
      });
      throw new Error('no');
    });
    expect(failing).rejects.toThrow('no');
    await enqueue(sender, 'one', '{"n":2}');
    await to.waitForRequest(1);
    expect([to.received[0]?.body, (await rows()).length]).toEqual(['{"n":2}', 1]);
  });

  test('that fails five times arrives at the sixth, under the same id', async () => {
    const to = serves('one', () => new Response(null, { status: to.received.length < 6 ? 500 : 200 }));
    const id = await enqueue(await startedSender(), 'one');
    const since = time.now();
    for (const [at, wait] of [30_000, 5 * MINUTE, HOUR, 5 * HOUR, 18 * HOUR].entries()) {
      await tried(at + 1);
      time.advance(wait - 1);
      expect(to.received).toHaveLength(at + 1);
      time.advance(1);
      await to.waitForRequest(at + 2);
    }
    await tried(6);
    expect(await rows()).toMatchObject([{ state: 'delivered', last_status: 200, last_error: null }]);
    expect(new Set(to.received.map(({ headers }) => headers['webhook-id']))).toEqual(new Set([id]));
    expect(new Set(to.received.map(({ headers }) => headers['webhook-timestamp'])).size).toBe(6);
    expect(time.now() - since).toBeWithin(DAY, DAY + HOUR);
  });

  test('ends after six failed attempts', async () => {
    const to = serves('one', () => new Response(null, { status: 503 }));
    await enqueue(await startedSender(), 'one');
    for (let attempts = 1; attempts <= 6; attempts += 1) {
      await tried(attempts);
      if (attempts === 1) {
        expect(await rows()).toMatchObject([{ state: 'pending', last_error: 'returned status 503' }]);
      }
      time.advance(18 * HOUR);
    }
    time.advance(30 * DAY);
    expect(await rows()).toMatchObject([
      { state: 'failed', last_status: 503, last_error: 'returned status 503' },
    ]);
    expect([to.received.length, time.waiting]).toEqual([6, 0]);
  });

  test('goes to the current URL of its receiver', async () => {
    const moved = serves('one', () => new Response());
    const { url = '' } = endpoints.get('one') ?? {};
    const old = serves('one', () => new Response(null, { status: 404 }));
    const sender = await startedSender();
    await enqueue(sender, 'one');
    await tried(1);
    endpoints.set('one', { url, owner: 'one', secret: newWebhookSecret() });
    time.advance(MINUTE);
    await moved.waitForRequest(1);
    await tried(2);
    expect(old.received).toHaveLength(1);
    expect(await rows()).toMatchObject([{ state: 'delivered', url }]);
  });
});

describe('the attempts of a delivery end', () => {
  test('with 410 Gone', async () => {
    const to = serves('one', () => new Response(null, { status: 410 }));
    await enqueue(await startedSender(), 'one');
    await tried(1);
    time.advance(30 * DAY);
    expect(await rows()).toMatchObject([{ state: 'failed', last_status: 410 }]);
    expect(to.received).toHaveLength(1);
  });

  test('with the endpoint', async () => {
    serves('one', () => new Response(null, { status: 500 }));
    const sender = await startedSender();
    for (let n = 0; n < 3; n += 1) await enqueue(sender, 'one');
    await eventually(async () => (await rows()).every(({ attempts }) => attempts === 1));
    await store.writeAsService((tx) => {
      endpoints.delete('one');
      sender.removedIn(tx, 'one');
    });
    await eventually(async () => (await counts('failed')) === 3);
    expect(await rows()).toMatchObject([
      { last_status: 500, last_error: 'the endpoint was removed' },
      {},
      {},
    ]);
  });

  test('at the next due time after a command removed the receiver without a server', async () => {
    await enqueue(newSender(), 'gone');
    await enqueue(newSender(), 'gone');
    await startedSender();
    await eventually(async () => (await counts('failed')) === 2);
    expect(await rows()).toMatchObject([{ attempts: 0, last_error: 'the endpoint was removed' }, {}]);
  });
});

describe('a restart of the sender', () => {
  test('sends what a command wrote without a server', async () => {
    const to = serves('one', () => new Response());
    const idle = newSender();
    const id = await enqueue(idle, 'one');
    await store.writeAsService((tx) => idle.removedIn(tx, 'other'));
    expect(to.received).toEqual([]);
    await startedSender();
    await to.waitForRequest(1);
    expect(to.received[0]?.headers['webhook-id']).toBe(id);
  });

  test('repeats an interrupted attempt', async () => {
    const to = serves('one', () =>
      to.received.length === 1 ? new Promise(() => undefined) : new Response(),
    );
    const sender = await startedSender();
    const id = await enqueue(sender, 'one');
    await to.waitForRequest(1);
    const since = performance.now();
    await sender.stop(50);
    expect(performance.now() - since).toBeLessThan(2000);
    expect(await rows()).toMatchObject([{ state: 'pending', attempts: 0 }]);
    await enqueue(sender, 'one');
    await startedSender();
    await eventually(async () => (await counts('delivered')) === 2);
    expect(to.received.filter(({ headers }) => headers['webhook-id'] === id)).toHaveLength(2);
  });

  test('waits for a running attempt, which is recorded', async () => {
    const response = Promise.withResolvers<Response>();
    const to = serves('one', () => response.promise);
    const sender = await startedSender();
    await enqueue(sender, 'one');
    await to.waitForRequest(1);
    const stopping = sender.stop(10_000);
    response.resolve(new Response());
    await stopping;
    expect(await rows()).toMatchObject([{ state: 'delivered', attempts: 1 }]);
  });

  test('does not change the time of the next attempt', async () => {
    const to = serves('one', () => new Response(null, { status: 500 }));
    const sender = await startedSender();
    await enqueue(sender, 'one');
    await tried(1);
    await sender.stop(1000);
    await startedSender();
    time.advance(29_999);
    expect(to.received).toHaveLength(1);
    time.advance(1);
    await to.waitForRequest(2);
  });
});

describe('many deliveries:', () => {
  test('a slow receiver has two concurrent attempts, all have eight, and no one waits for the slow one', async () => {
    const release = Promise.withResolvers<void>();
    let [now, most] = [0, 0];
    const held = async () => {
      now += 1;
      most = Math.max(most, now);
      await release.promise;
      now -= 1;
      return new Response();
    };
    const slow = serves('slow', held);
    const quick = serves('quick', () => new Response());
    const sender = await startedSender();
    for (let n = 0; n < 50; n += 1) await enqueue(sender, 'slow');
    for (let n = 0; n < 50; n += 1) await enqueue(sender, 'quick');
    await quick.waitForRequest(50);
    await eventually(async () => (await counts('delivered')) === 50);
    expect([slow.received.length, most]).toEqual([2, 2]);
    for (const name of ['b', 'c', 'd', 'e']) {
      serves(name, held);
      for (let n = 0; n < 3; n += 1) await enqueue(sender, name);
    }
    await eventually(() => now === 8);
    release.resolve();
    await eventually(async () => (await counts('delivered')) === 112);
    expect(most).toBe(8);
    expect(new Set(slow.received.map(({ headers }) => headers['webhook-id'])).size).toBe(50);
    expect(slow.received).toHaveLength(50);
  });

  test('each is sent once without errors, while others are enqueued', async () => {
    const names = Array.from({ length: 20 }, (_, n) => `e${n}`);
    const to = new Map(names.map((name) => [name, serves(name, () => new Response())]));
    const sender = await startedSender();
    await Promise.all(
      Array.from({ length: 600 }, async (_, n) => {
        await Bun.sleep(n % 7);
        await enqueue(sender, `e${n % 20}`);
      }),
    );
    await eventually(async () => (await counts('delivered')) === 600);
    for (const { received: heard } of to.values()) expect(heard).toHaveLength(30);
    expect((await rows()).every(({ attempts }) => attempts === 1)).toBe(true);
  });
});

describe('trouble of the sender itself:', () => {
  test('an attempt that cannot be recorded is not repeated meanwhile', async () => {
    const to = serves('one', () => new Response());
    const sender = await startedSender();
    const trigger = `CREATE TRIGGER full BEFORE UPDATE ON delivery BEGIN SELECT RAISE(ABORT, 'full'); END`;
    await store.writeAsService(({ connection }) => void connection.sqlite.run(trigger));
    await enqueue(sender, 'one');
    for (let n = 1; n <= 3; n += 1) {
      await eventually(() => lines.length === n && time.waiting === 1);
      time.advance(10_000);
    }
    await eventually(() => time.waiting === 1);
    await store.writeAsService(({ connection }) => void connection.sqlite.run('DROP TRIGGER full'));
    time.advance(10_000);
    await eventually(async () => (await counts('delivered')) === 1);
    expect(to.received).toHaveLength(1);
    expect(lines[0]).toContain('cannot be written down yet');
  });

  test('a stop does not wait until an attempt can be recorded', async () => {
    serves('one', () => new Response());
    const sender = await startedSender();
    const trigger = `CREATE TRIGGER full BEFORE UPDATE ON delivery BEGIN SELECT RAISE(ABORT, 'full'); END`;
    await store.writeAsService(({ connection }) => void connection.sqlite.run(trigger));
    await enqueue(sender, 'one');
    await eventually(() => lines.length === 1);
    await sender.stop(10);
    expect(await rows()).toMatchObject([{ state: 'pending', attempts: 0 }]);
  });

  test('a receiver that cannot be read costs no attempt', async () => {
    const to = serves('one', () => new Response());
    let broken = true;
    const sender = newSender(async (_, name) => {
      if (broken) throw new Error('the secret cannot be opened');
      return endpoints.get(name) ?? null;
    });
    await sender.start();
    await enqueue(sender, 'one');
    await eventually(() => lines.length === 1 && time.waiting === 1);
    expect(lines[0]).toContain('the secret cannot be opened');
    broken = false;
    time.advance(10_000);
    await to.waitForRequest(1);
    await eventually(async () => (await counts('delivered')) === 1);
    expect(await rows()).toMatchObject([{ attempts: 1 }]);
  });

  test('rows that cannot be read are read again', async () => {
    const to = serves('one', () => new Response());
    const sender = await startedSender();
    const rename = (from: string, into: string) =>
      store.writeAsService(
        ({ connection }) => void connection.sqlite.run(`ALTER TABLE ${from} RENAME TO ${into}`),
      );
    await store.writeAsService(async (tx) => {
      await sender.enqueueIn(tx, {
        owner: 'somebody',
        endpoint: 'one',
        url: 'http://a/',
        eventType: 'a.b',
        body: '{}',
      });
      tx.connection.sqlite.run('ALTER TABLE delivery RENAME TO away');
    });
    await eventually(() => lines.length === 1 && time.waiting === 1);
    await rename('away', 'delivery');
    time.advance(10_000);
    await to.waitForRequest(1);
    await eventually(async () => (await counts('delivered')) === 1);
  });
});

test('a delivery that ended is deleted after 30 days, a pending one is not', async () => {
  const sender = await startedSender();
  serves('one', () => new Response());
  serves('two', () => new Response(null, { status: 500 }));
  const many = Array.from({ length: 1200 }, (_, n) => ({
    deliveryId: `msg_${n.toString(16).padStart(32, '0')}`,
    endpoint: 'old',
    owner: 'somebody',
    url: 'https://old.example/',
    eventType: 'a.b',
    body: '{}',
    createdAt: new Date(time.now()).toISOString(),
  }));
  await store.writeAsService(async (tx) => {
    for (const row of many) await outbox.add(tx, row);
    sender.removedIn(tx, 'old');
  });
  await enqueue(sender, 'one');
  await eventually(async () => (await counts('pending')) === 0);
  time.advance(DAY);
  await enqueue(sender, 'one');
  await enqueue(sender, 'two');
  await eventually(async () => (await counts('delivered')) === 2);
  time.advance(29 * DAY);
  await sender.forgetOld();
  expect((await rows()).length).toBe(1203);
  time.advance(1);
  await sender.forgetOld();
  expect(await rows()).toMatchObject([{ state: 'delivered' }, { state: 'pending' }]);
});
