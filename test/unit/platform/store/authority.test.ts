import { Database } from 'bun:sqlite';
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Authority } from '../../../../src/platform/store/authority.ts';
import { GroupCache } from '../../../../src/platform/store/cache/group-cache.ts';
import { openStore, type Store } from '../../../../src/platform/store/store.ts';
import { runQuery, type Transaction } from '../../../../src/platform/store/transaction.ts';

let directory: string;
let store: Store;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'countersign-authority-'));
  const file = join(directory, 'test.db');
  const database = new Database(file, { create: true });
  database.run('CREATE TABLE item (n INTEGER PRIMARY KEY, data BLOB NOT NULL) STRICT');
  database.run('CREATE TABLE total (n INTEGER NOT NULL) STRICT');
  database.close();
  store = openStore(file, 'disk', {
    failed: (error) => {
      throw error;
    },
    group: () => undefined,
  });
});
afterEach(async () => {
  await store.close();
  rmSync(directory, { recursive: true });
});

function insert({ connection }: Transaction, n: number, bytes = 1): number {
  connection.sqlite.query('INSERT INTO item (n, data) VALUES (?, ?)').run(n, randomBytes(bytes));
  return n;
}

function items(): Promise<number[]> {
  return store.read(({ connection }) =>
    connection.sqlite
      .query<{ n: number }, []>('SELECT n FROM item ORDER BY n')
      .all()
      .map(({ n }) => n),
  );
}

/** Charges each write to a list. */
function charging(charged: number[]): Authority {
  return { admitIn: () => undefined, chargeIn: (_tx, bytes) => void charged.push(bytes) };
}

test('a write that its authority refuses in the transaction writes nothing and affects no other', async () => {
  const refusing: Authority = {
    admitIn() {
      throw new Error('revoked');
    },
  };
  const outcomes = await Promise.allSettled([
    store.writeAsService((tx) => insert(tx, 1)),
    store.write(refusing, (tx) => insert(tx, 2)),
    store.writeAsService((tx) => insert(tx, 3)),
  ]);
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(await items()).toEqual([1, 3]);
});

test('an authority sees what units before it did in the same transaction', async () => {
  const seen: number[] = [];
  const counting: Authority = {
    admitIn: ({ connection }) =>
      void seen.push(
        connection.sqlite.query<{ n: number }, []>('SELECT count(*) AS n FROM item').get()?.n ?? -1,
      ),
  };
  await Promise.all([
    store.write(counting, (tx) => insert(tx, 1)),
    store.write(counting, (tx) => insert(tx, 2)),
    store.write(counting, (tx) => insert(tx, 3)),
  ]);
  expect(seen).toEqual([0, 1, 2]);
});

test('a write is charged with the pages that it allocated and something for each row, and not with those of others', async () => {
  const [small, large, none]: number[][] = [[], [], []];
  await Promise.all([
    store.write(charging(small ?? []), (tx) => insert(tx, 1)),
    store.writeAsService((tx) => insert(tx, 2, 200_000)),
    store.write(charging(large ?? []), (tx) => insert(tx, 3, 100_000)),
    store.write(charging(none ?? []), () => undefined),
  ]);
  expect(small).toEqual([64]);
  expect(large?.[0]).toBeGreaterThanOrEqual(100_000);
  expect(large?.[0]).toBeLessThan(120_000);
  expect(none).toEqual([0]);
});

test('a write that its charge refuses leaves nothing behind', async () => {
  const poor: Authority = {
    admitIn: () => undefined,
    chargeIn() {
      throw new Error('quota');
    },
  };
  const outcomes = await Promise.allSettled([
    store.write(poor, (tx) => insert(tx, 1, 50_000)),
    store.writeAsService((tx) => insert(tx, 2)),
  ]);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
  expect(await items()).toEqual([2]);
});

test('a write whose body leaves a promise behind is charged nothing, since it is undone', async () => {
  const charged: number[] = [];
  const left = store.write(charging(charged), (tx) => void runQuery(tx, () => insert(tx, 1)));
  const other = store.write(charging(charged), (tx) => insert(tx, 2));
  const outcomes = await Promise.allSettled([left, other]);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
  expect(charged).toEqual([64]);
});

test('a write that is asked for before the commit is in the transaction, whatever becomes of the unit that asked', async () => {
  const outcomes = await Promise.allSettled([
    store.writeAsService((tx) => {
      tx.beforeCommit(async ({ connection }) => void connection.sqlite.run('INSERT INTO total VALUES (7)'));
      throw new Error('refused');
    }),
    store.writeAsService((tx) => insert(tx, 1)),
  ]);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
  const totals = await store.read(({ connection }) => connection.sqlite.query('SELECT n FROM total').all());
  expect(totals).toEqual([{ n: 7 }]);
});

test('what is read for an authority is shared by the units of a transaction, and never what a unit read that was undone', async () => {
  const counts = new GroupCache<number>();
  const count = async (tx: Transaction): Promise<number> =>
    counts.get(tx, 'items', () =>
      runQuery(
        tx,
        ({ sqlite }) => sqlite.query<{ n: number }, []>('SELECT count(*) AS n FROM item').get()?.n ?? -1,
      ),
    );
  const [first, second, undone, after, cleared] = await Promise.allSettled([
    store.writeAsService((tx) => count(tx)),
    store.writeAsService((tx) => {
      insert(tx, 1);
      // Whoever changes something says so; this one does not.
      return count(tx);
    }),
    store.writeAsService(async (tx) => {
      insert(tx, 2);
      counts.clear();
      throw new Error(String(await count(tx)));
    }),
    store.writeAsService((tx) => count(tx)),
    store.writeAsService((tx) => {
      insert(tx, 3);
      counts.clear();
      return count(tx);
    }),
  ]);
  expect([first, second, after, cleared].map((outcome) => Object(outcome).value)).toEqual([0, 0, 1, 2]);
  expect(Object(undone).reason.message).toBe('2');
  expect(await store.writeAsService((tx) => count(tx))).toBe(2);
});

test('what is being read when it changes is not kept, even when something else is read in between', async () => {
  const counts = new GroupCache<string>();
  await store.writeAsService(async (tx) => {
    const early = Promise.withResolvers<string>();
    const first = counts.get(tx, 'one', () => early.promise);
    counts.clear();
    await counts.get(tx, 'another', async () => 'unchanged');
    early.resolve('old');
    expect(await first).toBe('old');
    expect(await counts.get(tx, 'one', async () => 'new')).toBe('new');
    // It is known now, and returned at once.
    expect(counts.get(tx, 'one', async () => 'newer')).toBe('new');
  });
});
