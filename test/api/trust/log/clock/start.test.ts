import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import pino from 'pino';
import type { ScheduledTask } from '../../../../../src/platform/scheduler.ts';
import { creditFigures } from '../../../../../src/trust/ledger/balances.ts';
import { acceptClock } from '../../../../../src/trust/log/clock/accept.ts';
import { showClock } from '../../../../../src/trust/log/clock/show.ts';
import { putClockMark } from '../../../../../src/trust/log/clock/store.ts';
import { restartLogs } from '../../../../../src/trust/log/lifecycle/restart.ts';
import { trustModules } from '../../../../../src/trust/service/modules.ts';
import { withServiceStopped } from '../../../../../src/trust/service/open-context.ts';
import { a2aClient } from '../../../../support/a2a.ts';
import { audited } from '../../../../support/audit.ts';
import { issueBody } from '../../../../support/client.ts';
import { creditedAgent } from '../../../../support/credits.ts';
import { marketOf } from '../../../../support/engagements.ts';
import { finalized } from '../../../../support/log.ts';
import { scratch } from '../../../../support/process.ts';
import { openTrustApp, type TrustApp } from '../../../../support/trust-app.ts';
import { VirtualTime } from '../../../../support/virtual-time.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const SETTINGS = { 'billing.processor': 'sandbox' };

let directory: ReturnType<typeof scratch>;
let data: string;
let time: VirtualTime;

beforeEach(() => {
  directory = scratch();
  data = join(directory.path, 'data');
  // After 400 days, fsck must not find dates in the future.
  time = new VirtualTime(Date.now() - 402 * DAY);
});
afterEach(() => directory.dispose());

const open = (settings: Record<string, string> = SETTINGS) => openTrustApp(settings, time, data);

/** Starts the service, does something, and stops it. */
async function running<Result>(act: (app: TrustApp) => Promise<Result>): Promise<Result> {
  const app = await open();
  try {
    return await act(app);
  } finally {
    await app.close();
  }
}

const tasksOf = new WeakMap<TrustApp, readonly ScheduledTask[]>();

async function runTasks(app: TrustApp, pick: (name: string) => boolean = () => true): Promise<void> {
  const tasks = tasksOf.get(app) ?? (await app.service.background()).tasks;
  tasksOf.set(app, tasks);
  for (const { name, run } of tasks) if (pick(name)) await run();
}

const look = (app: TrustApp): Promise<void> => runTasks(app, (name) => name === 'watch the clock');
const state = ({ service }: TrustApp) => showClock(service.trust).state;
const accept = ({ service }: TrustApp) => acceptClock(service.trust);

/** Returns how many rows each table has. */
const rowsOf = ({ service }: TrustApp): Promise<Record<string, number>> =>
  service.trust.store.read(({ connection: { sqlite } }) => {
    const names = sqlite
      .query<{ name: string }, []>(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'",
      )
      .all();
    const counts = names.map(({ name }) => {
      const count = sqlite.query<{ n: number }, []>(`SELECT count(*) AS n FROM ${name}`).get()?.n ?? 0;
      return [name, count] as const;
    });
    return Object.fromEntries(counts);
  });

/** Returns the tables that have fewer rows than before. */
const fewer = (before: Record<string, number>, after: Record<string, number>): string[] =>
  Object.keys(before).filter((name) => (after[name] ?? 0) < (before[name] ?? 0));

/** Fills a service with what is deleted, expires or is paid after some time. */
async function fill(app: TrustApp) {
  const market = marketOf(app);
  const hirer = await creditedAgent(app, { credits: { promotional: 1000 } });
  const worker = await creditedAgent(app, { sponsor: app.otherId });
  const held = await market.hire(hirer, worker, { deadline: new Date(time.now() + HOUR).toISOString() });
  await finalized(app.own);
  await app.own.post('/api/v1/receipts', issueBody(), { 'idempotency-key': 'once' });
  await app.own.post('/api/v1/operator/session', {});
  await app.anyone.post('/api/v1/passport/agents/autonomous/challenge', { public_key: hirer.publicKey });
  await app.own.post('/api/v1/account/topup', { usd_cents: 500, target: 'credits' });
  const a2a = a2aClient(app.fetch, 'http://localhost', app.apiKey);
  await a2a.send([{ data: { skill: 'lookup_reputation', subject_commitment: worker.commitment } }]);
  const { publisher } = app.service.trust.log;
  await publisher.publish();
  await app.anyone.get(`/api/v1/credentials/${hirer.commitment}`);
  for (let round = 0; round < 30; round++) {
    time.advance(5000);
    await finalized(app.own);
    await publisher.publish();
  }
  await look(app);
  return { held, hirer };
}

describe('a start with a clock 400 days ahead', () => {
  test('deletes, thins, expires and pays nothing, also at the next starts, and does so once the clock is accepted', async () => {
    const { held, hirer, before } = await running(async (app) => ({
      ...(await fill(app)),
      before: await rowsOf(app),
    }));
    const statusIn = async (app: TrustApp) => (await marketOf(app).read(held)).status;
    time.advance(400 * DAY);
    for (let start = 0; start < 3; start++) {
      await running(async (app) => {
        expect(await state(app)).toBe('unconfirmed');
        for (let turn = 0; turn < 3; turn++) {
          await runTasks(app);
          time.advance(11 * MINUTE);
        }
        const after = await rowsOf(app);
        expect(fewer(before, after)).toEqual([]);
        expect(after.checkpoint).toBeGreaterThan(before.checkpoint ?? 0);
        expect(await statusIn(app)).toBe('HELD');
      });
    }
    await running(async (app) => {
      const waiting = await rowsOf(app);
      await accept(app);
      await runTasks(app);
      const after = await rowsOf(app);
      expect(fewer(waiting, after)).toEqual(
        expect.arrayContaining(['a2a_task', 'checkpoint', 'credential', 'idempotency', 'session']),
      );
      expect(await statusIn(app)).toBe('EXPIRED');
      const { store } = app.service.trust;
      const figures = await store.read((snapshot) => creditFigures(snapshot, hirer.agent.agentSeq));
      expect(figures.promotional).toMatchObject({ locked: 0, available: 1000 });
    });
    await running(async (app) => expect(await state(app)).toBe('right'));
    expect((await audited(data)).reported).toEqual([]);
  });

  test('serves all requests, and judges sessions, keys and expiries by the clock as ever', async () => {
    await running(fill);
    time.advance(400 * DAY);
    await running(async (app) => {
      expect((await app.own.issue({ expiry: '2099-01-01T00:00:00Z' })).status).toBe(201);
      const expired = await app.own.issue({ expiry: new Date(time.now() - 1).toISOString() });
      expect([expired.status, expired.body.reason_code]).toEqual([400, 'validation_error']);
      const { status, body } = await app.anyone.get('/api/health');
      expect([status, body.status]).toEqual([200, 'ok']);
      expect(String(body.problems)).toMatch(
        /more than a day ahead of the newest data .* countersign clock accept/,
      );
    });
  });

  test('is said once in the log, in health and by a metric, until it is accepted', async () => {
    await running(look);
    time.advance(400 * DAY);
    await running(async (app) => {
      for (let turn = 0; turn < 5; turn++) await look(app);
      expect(app.logged().match(/more than a day ahead of the newest data/g)).toHaveLength(1);
      const { metrics } = await app.service.background();
      const metric = metrics.find(({ name }) => name === 'countersign_clock_in_doubt');
      expect(await metric?.read()).toEqual([{ labels: {}, value: 1 }]);
      expect(showClock(app.service.trust)).toMatchObject({
        state: 'unconfirmed',
        newest_data: expect.any(String),
        set_by_seconds: null,
      });
      expect((await accept(app)).state).toBe('right');
      await expect(accept(app)).rejects.toThrow('nothing to accept');
      await look(app);
      expect(await metric?.read()).toEqual([{ labels: {}, value: 0 }]);
      expect((await app.anyone.get('/api/health')).body.problems).toEqual([]);
    });
  });
});

describe('a start is in doubt', () => {
  test.each<[string, number, ReturnType<typeof showClock>['state']]>([
    ['not a day after the newest data', DAY, 'right'],
    ['after more than a day', DAY + 1, 'unconfirmed'],
    ['not a minute before the newest data', -MINUTE, 'right'],
    ['not when it is behind the newest data: then it is wrong', -MINUTE - 1, 'wrong'],
    ['not when it is far behind the newest data', -400 * DAY, 'wrong'],
  ])('%s', async (_, ms, expected) => {
    await running(look);
    time.advance(ms);
    await running(async (app) => expect(await state(app)).toBe(expected));
  });

  test('also if the directory is of an earlier version, which stored no time: then by its newest checkpoint', async () => {
    await running(async (app) => void (await finalized(app.own)));
    time.advance(2 * DAY);
    await running(async (app) => expect(await state(app)).toBe('unconfirmed'));
    // The checkpoints of the start before have the date of the clock in doubt.
    await running(async (app) => expect(await state(app)).toBe('unconfirmed'));
  });

  test('not in a new directory', async () => {
    await running(async (app) => expect(await state(app)).toBe('right'));
  });

  test('also of a server that only reads, which has no task and says nothing', async () => {
    await running(look);
    time.advance(400 * DAY);
    const app = await open({ ...SETTINGS, read_only: 'on' });
    expect([await state(app), String((await app.anyone.get('/api/health')).body.problems)]).toEqual([
      'unconfirmed',
      expect.not.stringContaining('clock accept'),
    ]);
    await app.close();
  });

  test('until the service has run for 24 hours, over several starts', async () => {
    await running(look);
    time.advance(3 * DAY);
    for (let day = 0; day < 3; day++) {
      await running(async (app) => {
        await look(app);
        expect(await state(app)).toBe('unconfirmed');
        time.advance(8 * HOUR - 2 * MINUTE);
        await look(app);
      });
      time.advance(16 * HOUR);
    }
    await running(async (app) => {
      expect(await state(app)).toBe('unconfirmed');
      time.advance(7 * MINUTE);
      await look(app);
      expect(await state(app)).toBe('right');
    });
    await running(async (app) => expect(await state(app)).toBe('right'));
  });

  test('for 24 hours again when the clock of a later start is another one', async () => {
    await running(look);
    time.advance(400 * DAY);
    await running(async (app) => {
      time.advance(20 * HOUR);
      await look(app);
    });
    time.advance(400 * DAY);
    await running(async (app) => {
      time.advance(20 * HOUR);
      await look(app);
      expect(await state(app)).toBe('unconfirmed');
    });
  });

  test('not any more when the clock of the next start fits the data again', async () => {
    await running(look);
    time.advance(400 * DAY);
    await running(look);
    time.advance(-400 * DAY + HOUR);
    await running(async (app) => expect(await state(app)).toBe('right'));
  });

  test('again after a wrong time was accepted, and the right one was accepted later', async () => {
    await running(look);
    time.advance(400 * DAY);
    await running(accept);
    await running(async (app) => {
      time.jump(-400 * DAY);
      expect(await state(app)).toBe('wrong');
      await accept(app);
    });
    time.advance(2 * DAY);
    await running(async (app) => expect(await state(app)).toBe('unconfirmed'));
  });
});

describe('a start with a clock behind the newest data', () => {
  const issued = async ({ own }: TrustApp) => (await own.issue({ expiry: '2099-01-01T00:00:00Z' })).status;

  test('issues nothing, and says so, until the clock reaches the newest data', async () => {
    await running(look);
    time.jump(-10 * MINUTE);
    await running(async (app) => {
      await look(app);
      const { status, body } = await app.anyone.get('/api/health');
      expect([await issued(app), status]).toEqual([503, 503]);
      expect(String(body.problems)).toContain('The clock is 600 seconds behind the newest data');
      expect(app.logged()).toContain('the clock is behind the newest data: nothing with a date is issued');
      time.advance(10 * MINUTE);
      expect([await issued(app), await state(app)]).toEqual([201, 'right']);
    });
  });

  test('issues at once when the clock is set to any later time', async () => {
    await running(look);
    time.jump(-10 * MINUTE);
    await running(async (app) => {
      expect(await issued(app)).toBe(503);
      time.jump(HOUR);
      expect([await issued(app), await state(app)]).toEqual([201, 'right']);
    });
  });

  test('issues nothing at the starts after it either, although that data was dated by a clock in doubt', async () => {
    await running(look);
    time.advance(2 * DAY);
    await running(async (app) => {
      time.advance(2 * HOUR);
      await app.service.trust.log.publisher.publish();
      await look(app);
      expect(await state(app)).toBe('unconfirmed');
    });
    time.jump(-HOUR);
    for (let start = 0; start < 3; start++)
      await running(async (app) => {
        await look(app);
        expect([await state(app), (await app.own.issue()).status]).toEqual(['wrong', 503]);
        time.advance(MINUTE);
      });
    time.advance(HOUR);
    await running(async (app) => expect(await state(app)).toBe('unconfirmed'));
  });

  test('issues once the clock is accepted, also after the next start', async () => {
    await running(look);
    time.advance(2 * HOUR);
    await running(look);
    time.jump(-2 * HOUR);
    await running(async (app) => {
      expect(await issued(app)).toBe(503);
      await accept(app);
      expect(await issued(app)).toBe(201);
    });
    await running(async (app) => expect([await issued(app), await state(app)]).toEqual([201, 'right']));
  });

  test('signs the first checkpoint of a log that has none', async () => {
    await running(look);
    time.jump(-10 * MINUTE);
    await withServiceStopped(
      data,
      new Map(),
      pino({ level: 'silent' }),
      trustModules,
      async (parts, path) => {
        await restartLogs(parts, path);
        await parts.store.writeAsService((tx) =>
          putClockMark(tx, { confirmedAt: time.now() + 20 * MINUTE, doubtedAt: null, ranMs: 0 }),
        );
      },
    );
    await running(async (app) => {
      expect(await state(app)).toBe('wrong');
      const { issued_at } = app.service.trust.log.publisher.latest('receipts').response;
      expect(issued_at).toBe(new Date(time.now() + 20 * MINUTE).toISOString());
    });
  });
});

describe('the clock that a running service stores', () => {
  test('is not the one that was set, so that a restart does not take it for right', async () => {
    await running(async (app) => {
      await look(app);
      time.jump(400 * DAY);
      await look(app);
    });
    await running(async (app) => expect(await state(app)).toBe('unconfirmed'));
  });

  test('is said to be wrong once, and right again once', async () => {
    await running(async (app) => {
      await look(app);
      time.jump(400 * DAY);
      for (let turn = 0; turn < 3; turn++) await look(app);
      time.jump(-400 * DAY);
      for (let turn = 0; turn < 3; turn++) await look(app);
      expect(app.logged().match(/the clock was set: nothing/g)).toHaveLength(1);
      expect(app.logged().match(/counts as right again/g)).toHaveLength(1);
    });
  });
});
