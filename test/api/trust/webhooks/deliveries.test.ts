import { afterEach, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { noopRecorder } from '../../../../src/platform/monitoring/recorder.ts';
import { createKeyFor, deleteKeyOf } from '../../../support/api-keys.ts';
import { client, strings } from '../../../support/client.ts';
import { receiver } from '../../../support/receiver.ts';
import { openTrustApp, type TrustApp } from '../../../support/trust-app.ts';
import { eventually } from '../../../support/virtual-time.ts';
import { deliveries, EVENTS, emit, eventOf, operatorSeqOf, TABLE } from '../../../support/webhooks.ts';

const PATH = '/api/v1/webhooks';

const started: { stop(): Promise<void> | void }[] = [];
afterEach(async () => {
  for (const { stop } of started.splice(0).reverse()) await stop();
});

function starts(...parts: Parameters<typeof receiver>) {
  const made = receiver(...parts);
  started.push(made);
  return made;
}

async function opens(...[settings, ...rest]: Parameters<typeof openTrustApp>): Promise<TrustApp> {
  const app = await openTrustApp({ 'webhooks.allow_private': 'on', ...settings }, ...rest);
  started.push({ stop: () => app.close() });
  return app;
}

async function subscribe(app: TrustApp, port: number, caller = app.own, more: object = {}) {
  const url = `http://127.0.0.1:${port}/in`;
  const { status, body } = await caller.post(PATH, { url, events: EVENTS, ...more });
  expect(status).toBe(201);
  return strings(body);
}

/** What a receiver holds back until it is opened. */
function gate() {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

const many = (count: number, operators: readonly number[]) =>
  Array.from({ length: count }, (_, index) => eventOf('evidence.anchored', operators, index));

describe('an event of the trust service', () => {
  test.each(EVENTS)('%s is told in its envelope, with both signatures', async (name) => {
    const app = await opens();
    const to = starts(() => new Response('thanks', { status: 202 }));
    const { id, secret = '', signing_secret = '' } = await subscribe(app, to.port);
    const event = eventOf(name, [await operatorSeqOf(app)]);
    await emit(app, event);
    await to.waitForRequest(1);
    const [{ path, headers, body } = { path: '', headers: {}, body: '' }] = to.received;
    const { data, timestamp } = event;
    expect([path, body]).toEqual(['/in', JSON.stringify({ event: name, data, timestamp })]);
    expect(headers).toMatchObject({
      'x-service-event': name,
      'x-service-signature': secret,
      'content-type': 'application/json',
    });
    expect(headers['webhook-id']).toMatch(/^msg_[0-9a-f]{32}$/);
    expect(new Webhook(signing_secret).verify(body, headers)).toEqual({ event: name, data, timestamp });
    expect(() => new Webhook(signing_secret).verify(`${body} `, headers)).toThrow();
    expect(await deliveries(app, id, 1)).toEqual([
      {
        id: headers['webhook-id'] ?? '',
        event: name,
        created_at: timestamp,
        ended_at: expect.stringMatching(/Z$/),
        status: 202,
        error: null,
      },
    ]);
  });

  test('is sent once to each operator that it concerns, and to subscribers of all events', async () => {
    const app = await opens();
    const to = starts(() => new Response());
    const at = (path: string, caller: TrustApp['own'], more: object) =>
      caller.post(PATH, { url: `http://127.0.0.1:${to.port}/${path}`, events: EVENTS, ...more });
    await at('own', app.own, {});
    await at('all', app.own, { all: true });
    await at('other', app.other, {});
    await at('milestones', app.own, { events: ['reputation.milestone'] });
    const [own, other] = [await operatorSeqOf(app), await operatorSeqOf(app, app.otherId)];
    const heard = async (operators: number[], count: number): Promise<string[]> => {
      to.received.length = 0;
      await emit(app, eventOf('evidence.anchored', operators));
      await to.waitForRequest(count);
      await eventually(() => app.service.webhooks.dispatcher.stats().running === 0);
      return to.received.map(({ path }) => path.slice(1)).sort();
    };
    expect(await heard([own], 2)).toEqual(['all', 'own']);
    expect(await heard([other], 2)).toEqual(['all', 'other']);
    expect(await heard([own, other, own], 3)).toEqual(['all', 'other', 'own']);
    expect(await heard([], 1)).toEqual(['all']);
    expect(await heard([9999], 1)).toEqual(['all']);
  });

  test('of agents of others is sent while the operator has an admin key, and its own always', async () => {
    const data = mkdtempSync(join(tmpdir(), 'countersign-admin-webhook-'));
    const start = () => openTrustApp({ 'webhooks.allow_private': 'on' }, null, data);
    let app = await start();
    const { trust } = app.service;
    const { otherId } = app;
    const to = starts(() => new Response());
    const admin = await createKeyFor(trust, otherId, { admin: true });
    const url = `http://127.0.0.1:${to.port}/all`;
    const by = client(app.fetch, 'http://localhost', admin.api_key);
    expect((await by.post(PATH, { url, events: EVENTS, all: true })).status).toBe(201);
    const [own, other] = [await operatorSeqOf(app), await operatorSeqOf(app, otherId)];
    /** Emits an event of another operator, then one of its own. @returns those that arrived */
    const heard = async (): Promise<unknown[]> => {
      to.received.length = 0;
      const { dispatcher } = app.service.webhooks;
      await emit(app, eventOf('agent.frozen', [own]), eventOf('agent.unfrozen', [other]));
      await to.waitForRequest(1);
      await dispatcher.idle();
      return to.received.map(({ headers }) => headers['x-service-event']).sort();
    };
    expect(await heard()).toEqual(['agent.frozen', 'agent.unfrozen']);
    await deleteKeyOf(trust, otherId, admin.keyHash);
    await eventually(async () => (await heard()).length === 1);
    expect(await heard()).toEqual(['agent.unfrozen']);
    await app.close();
    app = await start();
    expect(await heard()).toEqual(['agent.unfrozen']);
    await createKeyFor(app.service.trust, otherId, { admin: true });
    await eventually(async () => (await heard()).length === 2);
    await app.close();
    rmSync(data, { recursive: true });
  });

  test('of a failed transaction is not sent', async () => {
    const app = await opens();
    const to = starts(() => new Response());
    await subscribe(app, to.port);
    const operators = [await operatorSeqOf(app)];
    const { store, events } = app.service.trust;
    const failed = store.writeAsService((tx) => {
      events.emitIn(tx, TABLE, eventOf('reputation.degraded', operators));
      throw new Error('no');
    });
    await expect(failed).rejects.toThrow('no');
    await emit(app, eventOf('reputation.restored', operators));
    await to.waitForRequest(1);
    await eventually(() => app.service.webhooks.dispatcher.stats().running === 0);
    expect(to.received.map(({ headers }) => headers['x-service-event'])).toEqual(['reputation.restored']);
  });
});

describe('a receiver of webhooks', () => {
  test.each([
    ['refuses', () => new Response('no', { status: 500 }), 500, 'returned status 500'],
    ['is gone', () => new Response(null, { status: 410 }), 410, 'returned status 410'],
    ['sends 10 MB', () => new Response(new Uint8Array(10 * 2 ** 20)), 200, null],
  ])('that %s is tried once', async (_, response, status, error) => {
    const app = await opens();
    const to = starts(response);
    const { id } = await subscribe(app, to.port);
    await emit(app, eventOf('evidence.anchored', [await operatorSeqOf(app)]));
    expect(await deliveries(app, id, 1)).toMatchObject([{ status, error }]);
    expect(to.received).toHaveLength(1);
  });

  test('that redirects to a private address is not followed', async () => {
    const app = await opens();
    const inside = starts(() => new Response());
    const to = starts(() => Response.redirect(`http://127.0.0.1:${inside.port}/metadata`, 307));
    const { id } = await subscribe(app, to.port);
    await emit(app, eventOf('evidence.anchored', [await operatorSeqOf(app)]));
    expect(await deliveries(app, id, 1)).toMatchObject([{ status: 307, error: 'returned status 307' }]);
    expect(inside.received).toEqual([]);
  });

  test('that closes the connection, or is not there, has failed', async () => {
    const app = await opens();
    const server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => socket.destroy());
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    started.push({ stop: () => void server.close() });
    const address = server.address();
    const closing = await subscribe(app, address !== null && typeof address === 'object' ? address.port : 0);
    const nobody = receiver(() => new Response());
    await nobody.stop();
    const absent = await subscribe(app, nobody.port);
    await emit(app, eventOf('evidence.anchored', [await operatorSeqOf(app)]));
    expect(await deliveries(app, closing.id, 1)).toMatchObject([
      { status: null, error: expect.stringMatching(/^no response/) },
    ]);
    expect(await deliveries(app, absent.id, 1)).toMatchObject([
      { status: null, error: 'no response (ECONNREFUSED)' },
    ]);
  });

  test('whose name now resolves to a private address gets nothing', async () => {
    let asked = 0;
    const resolve = async () => (++asked === 1 ? ['1.1.1.1'] : ['127.0.0.1']);
    const to = starts(() => new Response());
    const app = await opens({ 'webhooks.allow_private': 'off' }, null, ':memory:', { resolve });
    const url = `https://rebinding.example:${to.port}/`;
    const { body } = await app.own.post(PATH, { url, events: EVENTS });
    await emit(app, eventOf('evidence.anchored', [await operatorSeqOf(app)]));
    expect(await deliveries(app, body.id, 1)).toMatchObject([
      { status: null, error: 'the target must not point to a private, local or reserved address' },
    ]);
    expect([asked, to.received]).toEqual([2, []]);
  });

  test('that hangs blocks no other receivers, requests or writes', async () => {
    const app = await opens();
    const { opened, open } = gate();
    const hanging = starts(async () => {
      await opened;
      return new Response();
    });
    const quick = starts(() => new Response());
    const { id } = await subscribe(app, hanging.port);
    await subscribe(app, quick.port);
    const operators = [await operatorSeqOf(app)];
    await emit(app, ...many(20, operators));
    await quick.waitForRequest(20);
    expect((await app.own.issue()).status).toBe(201);
    await emit(app, ...many(5, operators));
    await quick.waitForRequest(25);
    await eventually(() => app.service.webhooks.dispatcher.stats().running === 2);
    // Two at once, as it has not answered yet, and the others wait for one of them.
    expect(hanging.received).toHaveLength(2);
    expect(app.service.webhooks.dispatcher.stats().waiting).toBe(23);
    open();
    await hanging.waitForRequest(25);
    expect(await deliveries(app, id, 25)).toHaveLength(25);
  });

  test('that has answered at once has four deliveries at a time', async () => {
    const app = await opens();
    const { opened, open } = gate();
    const to = starts(async ({ body }) => {
      if (!body.includes('milestone')) await opened;
      return new Response();
    });
    await subscribe(app, to.port);
    const operators = [await operatorSeqOf(app)];
    await emit(app, eventOf('reputation.milestone', operators));
    await eventually(() => to.received.length === 1 && app.service.webhooks.dispatcher.stats().running === 0);
    await emit(app, ...many(20, operators));
    await to.waitForRequest(5);
    expect(app.service.webhooks.dispatcher.stats()).toMatchObject({ waiting: 16, running: 4 });
    open();
    await to.waitForRequest(21);
  });

  test('that never responds times out after five seconds', async () => {
    const app = await opens();
    const hanging = starts(() => new Promise<Response>(() => undefined));
    const { id } = await subscribe(app, hanging.port);
    await emit(app, ...many(8, [await operatorSeqOf(app)]));
    const found = await deliveries(app, id, 2);
    expect(found.map(({ status, error }) => [status, error])).toEqual(
      Array.from({ length: 2 }, () => [null, 'no response within 5 s']),
    );
    await hanging.waitForRequest(4);
    expect(app.service.webhooks.dispatcher.stats()).toMatchObject({ waiting: 4, running: 2 });
    await app.own.call('DELETE', `${PATH}/${id}`);
    expect(app.service.webhooks.dispatcher.stats()).toMatchObject({ subscriptions: 0, waiting: 0 });
  }, 180_000);

  test('with a thousand pending deliveries loses receipt.finalized before others', async () => {
    const app = await opens();
    const { opened, open } = gate();
    const to = starts(async () => {
      await opened;
      return new Response();
    });
    const { id } = await subscribe(app, to.port);
    const operators = [await operatorSeqOf(app)];
    const receipts = Array.from({ length: 10 }, (_, count) => eventOf('receipt.finalized', operators, count));
    // The last two receipts find a full queue, and three others take the place of three receipts.
    await emit(app, ...many(992, operators), ...receipts, ...many(3, operators));
    expect(await deliveries(app, id, 1)).toMatchObject([
      { event: 'receipt.finalized', error: 'dropped: 5 deliveries, because 1000 were waiting' },
    ]);
    open();
    await to.waitForRequest(1000);
    const kinds = to.received.map(({ headers }) => headers['x-service-event']);
    expect(kinds.filter((kind) => kind === 'receipt.finalized')).toHaveLength(5);
  });

  test('with a thousand proposals of strangers pending still gets what is about money', async () => {
    const app = await opens();
    const { opened, open } = gate();
    const to = starts(async () => {
      await opened;
      return new Response();
    });
    const { id } = await subscribe(app, to.port);
    const operators = [await operatorSeqOf(app)];
    const of = (event: (typeof EVENTS)[number], count: number) =>
      Array.from({ length: count }, (_, index) => eventOf(event, operators, index));
    const money = ['payment.disputed', 'engagement.delivered', 'payout.failed'] as const;
    const flood = [...of('receipt.finalized', 1), ...of('agora.proposal', 1100)];
    // The receipt makes room for a proposal, and proposals for what is about money.
    await emit(app, ...flood, ...money.flatMap((event) => of(event, 1)), ...of('agora.proposal', 50));
    expect(await deliveries(app, id, 1)).toMatchObject([
      { event: 'agora.proposal', error: 'dropped: 154 deliveries, because 1000 were waiting' },
    ]);
    open();
    await to.waitForRequest(1000);
    const kinds = to.received.map(({ headers }) => headers['x-service-event'] ?? '');
    expect(kinds.filter((kind) => kind !== 'agora.proposal').sort()).toEqual(money.toSorted());
  });

  test('that is no webhook gets the newest sixteen messages, each of which has all', async () => {
    const app = await opens();
    const to = starts(() => new Response());
    const { dispatcher } = app.service.webhooks;
    const direct = {
      ...{ id: 'task config', operatorSeq: await operatorSeqOf(app), headers: {} },
      ...{ url: `http://127.0.0.1:${to.port}/push`, signingSecret: `whsec_${'a'.repeat(32)}` },
    };
    for (let count = 0; count < 40; count++)
      dispatcher.send(direct, { event: 'a2a.task', body: String(count) });
    expect(dispatcher.stats().waiting).toBe(16);
    await dispatcher.idle();
    const expected = Array.from({ length: 16 }, (_, index) => String(24 + index));
    expect(to.received.map(({ body }) => body).sort()).toEqual(expected);
  });

  test('with a thousand pending deliveries gets no more, and sees how many were dropped', async () => {
    const counted: Record<string, number> = {};
    const webhook = (event: string, result: string, count: number): void => {
      counted[`${event} ${result}`] = (counted[`${event} ${result}`] ?? 0) + count;
    };
    const app = await opens({}, null, ':memory:', { recorder: { ...noopRecorder, webhook } });
    const { opened, open } = gate();
    const to = starts(async () => {
      await opened;
      return new Response();
    });
    const { id } = await subscribe(app, to.port);
    const operators = [await operatorSeqOf(app)];
    await emit(app, ...many(1012, operators));
    await to.waitForRequest(2);
    expect(await deliveries(app, id, 1)).toEqual([
      {
        id: expect.stringMatching(/^msg_/),
        event: 'evidence.anchored',
        created_at: '2026-01-01T00:00:00.000Z',
        ended_at: null,
        status: null,
        error: 'dropped: 12 deliveries, because 1000 were waiting',
      },
    ]);
    const { read } =
      (await app.service.background()).metrics.find(
        ({ name }) => name === 'countersign_webhook_queue_length',
      ) ?? {};
    expect(await read?.()).toEqual([{ labels: {}, value: 998 }]);
    open();
    await to.waitForRequest(1000);
    const kept = await deliveries(app, id, 100);
    await eventually(async () => (await deliveries(app, id, 100)).every(({ status }) => status === 200));
    expect(kept).toHaveLength(100);
    await eventually(() => app.service.webhooks.dispatcher.stats().running === 0);
    expect(counted).toEqual({ 'evidence.anchored dropped': 12, 'evidence.anchored delivered': 1000 });
    const rows = await app.service.trust.store.read(({ connection }) =>
      connection.sqlite.query('SELECT count(*) AS rows FROM webhook_delivery').get(),
    );
    expect(rows).toEqual({ rows: 100 });
    const ids: string[] = [];
    let cursor = '';
    do {
      const { body } = await app.own.get(`${PATH}/${id}/deliveries?limit=30${cursor}`);
      ids.push(...Object(body).deliveries.map((one: { id: string }) => one.id));
      cursor = body.next_cursor === null ? '' : `&cursor=${body.next_cursor}`;
    } while (cursor !== '');
    expect([ids.length, new Set(ids).size]).toEqual([100, 100]);
    const another = await subscribe(app, to.port);
    const { body } = await app.own.get(`${PATH}/${id}/deliveries?limit=1`);
    expect((await app.own.get(`${PATH}/${another.id}/deliveries?cursor=${body.next_cursor}`)).status).toBe(
      400,
    );
  });

  test('that is deleted gets nothing of what waited, and its results are nobody else’s', async () => {
    const app = await opens();
    const { opened, open } = gate();
    const to = starts(async () => {
      await opened;
      return new Response();
    });
    const { id } = await subscribe(app, to.port);
    await emit(app, ...many(20, [await operatorSeqOf(app)]));
    await to.waitForRequest(2);
    expect((await app.own.call('DELETE', `${PATH}/${id}`)).status).toBe(200);
    const next = await subscribe(app, to.port);
    open();
    await eventually(() => app.service.webhooks.dispatcher.stats().running === 0);
    await emit(app, eventOf('reputation.milestone', [await operatorSeqOf(app)]));
    expect(await deliveries(app, next.id, 1)).toMatchObject([{ event: 'reputation.milestone' }]);
    expect(to.received).toHaveLength(3);
  });
});

describe('the service that delivers webhooks', () => {
  test('continues when results cannot be recorded, and logs it', async () => {
    const app = await opens();
    const to = starts(() => new Response());
    await subscribe(app, to.port);
    const { store } = app.service.trust;
    await store.writeAsService(({ connection }) => void connection.sqlite.run('DROP TABLE webhook_delivery'));
    await emit(app, eventOf('evidence.anchored', [await operatorSeqOf(app)]));
    // This is also the only one that waits until the second is over after which results are recorded.
    await eventually(() => app.logged().includes('cannot record the results of webhook deliveries'));
    await emit(app, eventOf('evidence.anchored', [await operatorSeqOf(app)]));
    await to.waitForRequest(2);
    expect((await app.own.issue()).status).toBe(201);
  });

  test('waits at its end for running attempts, and records all results', async () => {
    const data = mkdtempSync(join(tmpdir(), 'countersign-webhooks-'));
    started.push({ stop: () => rmSync(data, { recursive: true }) });
    const settings = { 'webhooks.allow_private': 'on' };
    const app = await openTrustApp(settings, null, data);
    const { opened, open } = gate();
    const late = starts(async () => {
      await opened;
      return new Response();
    });
    const hanging = starts(() => new Promise<Response>(() => undefined));
    const ids = [await subscribe(app, late.port), await subscribe(app, hanging.port)].map(({ id }) => id);
    const operators = [await operatorSeqOf(app)];
    await emit(app, ...many(5, operators));
    await late.waitForRequest(2);
    await hanging.waitForRequest(2);
    const closing = app.close();
    open();
    await closing;
    expect([late.received.length, hanging.received.length]).toEqual([2, 2]);
    const again = await opens({}, null, data);
    const results = async (id: string | undefined) =>
      (await deliveries(again, id, 3)).map(({ status, error }) => `${status} ${error}`).sort();
    const dropped = 'null dropped: 3 deliveries, because the service stopped';
    expect(await results(ids[0])).toEqual(['200 null', '200 null', dropped]);
    // Those that hang were begun some time before the end came, and may have run into their own.
    const [first, ...hung] = await results(ids[1]);
    expect(first).toBe(dropped);
    expect(hung).toHaveLength(2);
    for (const one of hung) expect(one).toMatch(/^null (?:interrupted|no response within 5 s)/);
  }, 180_000);
});
