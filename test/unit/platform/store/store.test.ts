import { Database } from 'bun:sqlite';
import { afterEach, beforeEach, describe, expect, spyOn, test } from 'bun:test';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SERVICE } from '../../../../src/platform/store/authority.ts';
import { openWriter } from '../../../../src/platform/store/connection.ts';
import {
  DuplicateRow,
  FencedOff,
  NestedTransaction,
  Overloaded,
  ReadOnly,
  StorageUnavailable,
  UnsettledBody,
} from '../../../../src/platform/store/errors.ts';
import { readableDatabase } from '../../../../src/platform/store/readable.ts';
import { openReadStore, openStore, type Store } from '../../../../src/platform/store/store.ts';
import { runQuery, type Transaction } from '../../../../src/platform/store/transaction.ts';
import { Writer } from '../../../../src/platform/store/writer.ts';

let directory: string;
let file: string;
let store: Store;
let failedEffects: unknown[];

const hooks = { failed: (error: unknown) => void failedEffects.push(error), group: () => undefined };

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'countersign-store-'));
  file = join(directory, 'test.db');
  const database = new Database(file, { create: true });
  database.run('CREATE TABLE item (n INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT');
  database.run(
    "CREATE TRIGGER abort_13 BEFORE INSERT ON item WHEN NEW.n = 13 BEGIN SELECT RAISE(ABORT, 'no 13'); END",
  );
  database.run(
    "CREATE TRIGGER rollback_66 BEFORE INSERT ON item WHEN NEW.n = 66 BEGIN SELECT RAISE(ROLLBACK, 'no 66'); END",
  );
  // Violated only when COMMIT looks.
  database.run(
    'CREATE TABLE child (n INTEGER PRIMARY KEY, parent INTEGER REFERENCES item (n) DEFERRABLE INITIALLY DEFERRED) STRICT',
  );
  database.close();
  failedEffects = [];
  store = openStore(file, 'disk', hooks);
});

afterEach(async () => {
  await store.close();
  rmSync(directory, { recursive: true });
});

function insert(tx: Transaction, n: number, text = 'x'): number {
  tx.connection.sqlite.query('INSERT INTO item (n, text) VALUES (?, ?)').run(n, text);
  return n;
}

function numbers(): Promise<number[]> {
  return store.read(({ connection }) =>
    connection.sqlite
      .query<{ n: number }, []>('SELECT n FROM item ORDER BY n')
      .all()
      .map(({ n }) => n),
  );
}

/** Which of some writes were fulfilled. */
async function outcomes(writes: Promise<unknown>[]): Promise<boolean[]> {
  return (await Promise.allSettled(writes)).map(({ status }) => status === 'fulfilled');
}

describe('a write of the store', () => {
  test('returns the value of the body once it is durable', async () => {
    expect(await store.writeAsService((tx) => insert(tx, 1))).toBe(1);
    const other = new Database(file, { readonly: true });
    expect(other.query('SELECT count(*) AS n FROM item').get()).toEqual({ n: 1 });
    other.close();
  });

  test('that throws leaves no trace and affects no other of its group', async () => {
    const failing = (n: number) => (tx: Transaction) => {
      insert(tx, n);
      if (n % 2 === 0) throw new Error(`no even ${n}`);
    };
    expect(await outcomes([1, 2, 3, 4, 5].map((n) => store.writeAsService(failing(n))))).toEqual([
      true,
      false,
      true,
      false,
      true,
    ]);
    expect(await numbers()).toEqual([1, 3, 5]);
  });

  test.each([
    ['throws', 1, 'no'],
    ['meets a trigger that aborts', 13, 'no 13'],
    ['meets a trigger that rolls everything back', 66, 'no 66'],
  ])('one that has its transaction for itself and %s leaves no trace', async (_name, n, message) => {
    const writing = store.writeAsService((tx) => {
      insert(tx, 100);
      insert(tx, n);
      throw new Error('no');
    });
    await expect(writing).rejects.toThrow(message);
    expect(await numbers()).toEqual([]);
    await store.writeAsService((tx) => insert(tx, 2));
    expect(await numbers()).toEqual([2]);
  });

  test('a trigger that aborts fails only its own unit', async () => {
    expect(await outcomes([12, 13, 14].map((n) => store.writeAsService((tx) => insert(tx, n))))).toEqual([
      true,
      false,
      true,
    ]);
    expect(await numbers()).toEqual([12, 14]);
  });

  test('a trigger that rolls everything back fails only its own unit, and no effect runs twice', async () => {
    const effects: number[] = [];
    const writes = [65, 66, 67].map((n) =>
      store.writeAsService((tx) => {
        tx.afterCommit(() => effects.push(n));
        insert(tx, n);
      }),
    );
    expect(await outcomes(writes)).toEqual([true, false, true]);
    expect(await numbers()).toEqual([65, 67]);
    await store.read(() => null);
    expect(effects.sort()).toEqual([65, 67]);
  });

  test('a COMMIT that fails affects only the unit that caused it', async () => {
    const orphan = store.writeAsService((tx) => {
      tx.connection.sqlite.query('INSERT INTO child (n, parent) VALUES (1, 999)').run();
    });
    const writes = [
      store.writeAsService((tx) => insert(tx, 1)),
      orphan,
      store.writeAsService((tx) => insert(tx, 2)),
    ];
    expect(await outcomes(writes)).toEqual([true, false, true]);
    expect(await numbers()).toEqual([1, 2]);
  });

  test('a full disk is StorageUnavailable, degrades health, and passes', async () => {
    await store.writeAsService((tx) => insert(tx, 1));
    const pages = await store.writeAsService(({ connection }) => {
      const { page_count } = connection.sqlite
        .query<{ page_count: number }, []>('PRAGMA page_count')
        .get() ?? {
        page_count: 0,
      };
      connection.sqlite.run(`PRAGMA max_page_count = ${page_count}`);
      return page_count;
    });
    const writes = [2, 3, 4].map((n) => store.writeAsService((tx) => insert(tx, n, 'x'.repeat(100_000))));
    for (const outcome of await Promise.allSettled(writes)) {
      expect(outcome.status).toBe('rejected');
      if (outcome.status === 'rejected') expect(outcome.reason).toBeInstanceOf(StorageUnavailable);
    }
    expect(await store.healthy()).toBe(false);
    expect(await numbers()).toEqual([1]);
    await store.writeAsService(
      ({ connection }) => void connection.sqlite.run(`PRAGMA max_page_count = ${pages + 1000}`),
    );
    await store.writeAsService((tx) => insert(tx, 5));
    expect(await store.healthy()).toBe(true);
    expect(await numbers()).toEqual([1, 5]);
  });

  test('a body that awaits anything else is rejected, and what it does later is refused', async () => {
    const elsewhere = Promise.withResolvers<void>();
    const late = Promise.withResolvers<unknown>();
    const slow = store.writeAsService(async (tx) => {
      insert(tx, 1);
      await elsewhere.promise;
      try {
        insert(tx, 2);
        late.resolve('it was written');
      } catch (error) {
        late.resolve(error);
      }
    });
    expect(await slow.catch((error: unknown) => error)).toBeInstanceOf(UnsettledBody);
    expect(await store.writeAsService((tx) => insert(tx, 3))).toBe(3);
    elsewhere.resolve();
    expect(await late.promise).toBeInstanceOf(UnsettledBody);
    expect(await numbers()).toEqual([3]);
  });

  test('a body may await what its transaction gives, however often', async () => {
    const sum = await store.writeAsService(async (tx) => {
      let total = 0;
      for (let n = 101; n <= 200; n++) total += await Promise.resolve(insert(tx, n));
      return total;
    });
    expect(sum).toBe(15_050);
  });

  describe('a promise of the transaction that the body leaves behind', () => {
    const insertSoon = (tx: Transaction, n: number): Promise<number> => runQuery(tx, () => insert(tx, n));

    const bodies: [string, (tx: Transaction) => unknown][] = [
      ['as the last thing that it does', (tx) => void insertSoon(tx, 1)],
      [
        'before others that it awaits',
        async (tx) => {
          void insertSoon(tx, 1);
          await insertSoon(tx, 2);
        },
      ],
      [
        'which fails',
        (tx) => {
          void insertSoon(tx, 1);
          void insertSoon(tx, 13);
        },
      ],
    ];

    test.each(bodies)('%s, rejects the write, and nothing of it is written', async (_, body) => {
      const others = [3, 4].map((n) => store.writeAsService((tx) => insertSoon(tx, n)));
      const left = store.writeAsService(async (tx) => void (await body(tx)));
      expect(await left.catch((error: unknown) => error)).toBeInstanceOf(UnsettledBody);
      expect(await Promise.all(others)).toEqual([3, 4]);
      expect(await numbers()).toEqual([3, 4]);
    });

    test('rejects a read as well', async () => {
      const left = store.read((snapshot) => void runQuery(snapshot, () => 1));
      expect(await left.catch((error: unknown) => error)).toBeInstanceOf(UnsettledBody);
    });

    test('is none when it is awaited later, together with others, or returned', async () => {
      const inserted = await store.writeAsService(async (tx) => {
        const first = insertSoon(tx, 1);
        const both = Promise.all([insertSoon(tx, 2), insertSoon(tx, 3)]);
        const failed = await insertSoon(tx, 13).catch(() => 0);
        return [await first, ...(await both), failed, await insertSoon(tx, 4).finally(() => undefined)];
      });
      expect(inserted).toEqual([1, 2, 3, 0, 4]);
      expect(await store.writeAsService((tx) => insertSoon(tx, 5))).toBe(5);
      expect(await numbers()).toEqual([1, 2, 3, 4, 5]);
    });
  });

  test('a row with values that only one may have is refused as DuplicateRow, which names what must be unique', async () => {
    const insertSoon = (tx: Transaction, n: number): Promise<number> => runQuery(tx, () => insert(tx, n));
    await store.writeAsService((tx) => insertSoon(tx, 1));
    const refusal = await store.writeAsService((tx) => insertSoon(tx, 1)).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(DuplicateRow);
    expect(refusal).toMatchObject({ columns: ['item.n'] });
    const known = await store.writeAsService(async (tx) => {
      try {
        return await insertSoon(tx, 1);
      } catch (error) {
        if (error instanceof DuplicateRow) return insertSoon(tx, 2);
        throw error;
      }
    });
    expect(known).toBe(2);
    expect(await numbers()).toEqual([1, 2]);
  });

  test('inside another body, read and write are refused at once', async () => {
    const nested = store.writeAsService(async () => {
      await Promise.resolve();
      return store.writeAsService(() => 1);
    });
    await expect(nested).rejects.toBeInstanceOf(NestedTransaction);
    await expect(store.read(() => store.read(() => 1))).rejects.toBeInstanceOf(NestedTransaction);
  });

  test('more than 4,096 that wait are Overloaded; those that were taken are written', async () => {
    const writes = Array.from({ length: 4200 }, (_, n) => store.writeAsService((tx) => insert(tx, n + 1000)));
    const settled = await Promise.allSettled(writes);
    const refused = settled.filter(({ status }) => status === 'rejected');
    expect(refused.length).toBe(4200 - 4096);
    for (const outcome of refused) {
      if (outcome.status === 'rejected') expect(outcome.reason).toBeInstanceOf(Overloaded);
    }
    expect((await numbers()).length).toBe(4096);
  });

  test('one that is written alone has had its effects before the next begins, whoever waits with it', async () => {
    const order: string[] = [];
    const note = (name: string) => (tx: Transaction) => {
      order.push(name);
      tx.afterCommit(() => order.push(`${name} took effect`));
    };
    await Promise.all([
      store.writeAsService(note('one')),
      store.writeAsService(note('two')),
      store.writeAlone(note('alone')),
      store.writeAsService(note('three')),
      store.writeAlone(note('alone again')),
      store.writeAlone(note('and again')),
    ]);
    expect(order).toEqual([
      ...['one', 'two', 'one took effect', 'two took effect'],
      ...['alone', 'alone took effect'],
      ...['three', 'three took effect'],
      ...['alone again', 'alone again took effect'],
      ...['and again', 'and again took effect'],
    ]);
    await expect(store.writeAsService(() => store.writeAlone(() => undefined))).rejects.toBeInstanceOf(
      NestedTransaction,
    );
  });

  test('an effect that throws is reported and affects neither its own result nor another effect', async () => {
    const seen: number[] = [];
    const boom = new Error('boom');
    const first = store.writeAsService((tx) => {
      tx.afterCommit(() => {
        throw boom;
      });
      tx.afterCommit(() => seen.push(1));
      return insert(tx, 1);
    });
    const second = store.writeAsService((tx) => {
      tx.afterCommit(() => seen.push(2));
      return insert(tx, 2);
    });
    expect(await Promise.all([first, second])).toEqual([1, 2]);
    expect(seen).toEqual([1, 2]);
    expect(failedEffects).toEqual([boom]);
  });

  test('past 32 MiB the log starts anew between two groups, and nothing is lost', async () => {
    const text = 'x'.repeat(2 ** 20);
    for (let n = 100; n < 200; n++) await store.writeAsService((tx) => insert(tx, n, text));
    expect(statSync(`${file}-wal`).size).toBeLessThan(64 * 2 ** 20);
    expect((await numbers()).length).toBe(100);
    expect(failedEffects).toEqual([]);
  });

  test('after close the database is one file', async () => {
    await store.writeAsService((tx) => insert(tx, 1));
    await numbers();
    await store.close();
    expect(readdirSync(directory)).toEqual(['test.db']);
    store = openStore(file, 'disk', hooks);
  });

  test('after close every write is refused', async () => {
    const last = store.writeAsService((tx) => insert(tx, 1));
    await store.close();
    expect(await last).toBe(1);
    await expect(store.writeAsService(() => 1)).rejects.toBeInstanceOf(Overloaded);
    store = openStore(file, 'memory', hooks);
    expect(await numbers()).toEqual([1]);
  });
});

describe('a read of the store', () => {
  test('sees one snapshot during concurrent writes', async () => {
    await store.writeAsService((tx) => insert(tx, 1));
    const count = store.read(async ({ connection }) => {
      const rows = () =>
        connection.sqlite.query<{ n: number }, []>('SELECT count(*) AS n FROM item').get()?.n;
      const before = rows();
      for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
      return [before, rows()];
    });
    await store.writeAsService((tx) => insert(tx, 2));
    expect(await count).toEqual([1, 1]);
    expect(await numbers()).toEqual([1, 2]);
  });

  test('sees everything that was committed before it began, even in the turn of an earlier read', async () => {
    const seen: number[][] = [await numbers()];
    for (let n = 1; n <= 3; n++) {
      // The second of the two shares the snapshot of the first, and neither shares that of before the write.
      await store.writeAsService((tx) => insert(tx, n));
      seen.push(await numbers(), await numbers());
    }
    expect(seen).toEqual([[], [1], [1], [1, 2], [1, 2], [1, 2, 3], [1, 2, 3]]);
  });

  test('waits while all connections have older snapshots in use, and then sees what was committed', async () => {
    const gates = Array.from({ length: 4 }, () => Promise.withResolvers<void>());
    const held: Promise<number[][]>[] = [];
    for (const [at, gate] of gates.entries()) {
      held.push(
        store.read(async ({ connection: { sqlite } }) => {
          const seen = () =>
            sqlite
              .query<{ n: number }, []>('SELECT n FROM item ORDER BY n')
              .all()
              .map(({ n }) => n);
          const before = seen();
          await gate.promise;
          return [before, seen()];
        }),
      );
      await store.writeAsService((tx) => insert(tx, at + 1));
    }
    let served = 0;
    const waiting = [1, 2].map(() =>
      numbers().finally(() => {
        served += 1;
      }),
    );
    await new Promise((resolve) => setImmediate(resolve));
    expect(served).toBe(0);
    gates[2]?.resolve();
    const all = [1, 2, 3, 4];
    expect(await Promise.all(waiting)).toEqual([all, all]);
    for (const gate of gates) gate.resolve();
    const prefixes = [0, 1, 2, 3].map((length) => all.slice(0, length));
    expect(await Promise.all(held)).toEqual(prefixes.map((prefix) => [prefix, prefix]));
  });

  test('leaves no snapshot open after its turn, whether it succeeds or fails', async () => {
    await store.writeAsService((tx) => insert(tx, 1));
    await numbers();
    const wrong = store.read(({ connection }) => connection.sqlite.query('SELECT missing FROM item').get());
    await expect(wrong).rejects.toThrow('no such column');
    const other = new Database(file);
    const restart = () => other.query<{ busy: number }, []>('PRAGMA wal_checkpoint(RESTART)').get()?.busy;
    for (let turn = 0; turn < 2; turn++) await new Promise((resolve) => setImmediate(resolve));
    expect(restart()).toBe(0);
    await store.writeAsService((tx) => insert(tx, 2));
    expect(restart()).toBe(0);
    other.close();
  });

  test('begins at once, but with the others at the end of its turn after a turn with several reads', async () => {
    const readTwice = async (): Promise<string[]> => {
      const order: string[] = [];
      const reads = ['first', 'second'].map((name) => store.read(() => void order.push(name)));
      order.push('end of the turn');
      await Promise.all(reads);
      await new Promise((resolve) => setImmediate(resolve));
      return order;
    };
    expect(await readTwice()).toEqual(['first', 'second', 'end of the turn']);
    expect(await readTwice()).toEqual(['end of the turn', 'first', 'second']);
    // A turn with one read ends it.
    await numbers();
    await new Promise((resolve) => setImmediate(resolve));
    expect(await readTwice()).toEqual(['first', 'second', 'end of the turn']);
  });

  test('cannot write', async () => {
    await expect(store.read(({ connection }) => connection.sqlite.run('DELETE FROM item'))).rejects.toThrow(
      /readonly/,
    );
  });

  test('many more than the pool has connections all get their turn', async () => {
    const reads = Array.from({ length: 100 }, (_, n) => store.read(async () => n));
    expect(await Promise.all(reads)).toEqual(Array.from({ length: 100 }, (_, n) => n));
  });
});

test('an error between two groups is reported, and the next group is committed', async () => {
  const connection = openWriter(join(directory, 'other.db'), 'memory');
  connection.sqlite.run('CREATE TABLE item (n INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT');
  const writer = new Writer(connection, {
    openRequests: () => 0,
    begun: () => undefined,
    committed: () => undefined,
    betweenGroups() {
      throw new Error('no room');
    },
    unitFailed: () => undefined,
    storageHealth: () => undefined,
    effectFailed: (error) => void failedEffects.push(error),
    group: () => undefined,
  });
  for (const n of [1, 2]) expect(await writer.write(SERVICE, (tx) => insert(tx, n))).toBe(n);
  await writer.close();
  connection.sqlite.close();
  expect(failedEffects).toEqual([new Error('no room'), new Error('no room')]);
});

describe('writes share a commit', () => {
  /** Opens a store with a number of open requests; `groups` gets the sizes of the groups that it commits. */
  function besideRequests(openRequests: number, groups: number[]): Store {
    return openStore(file, 'disk', {
      ...hooks,
      openRequests: () => openRequests,
      group: (units) => void groups.push(units),
    });
  }

  const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

  /**
   * Writes one item in each of three turns of the event loop, as requests that arrive one after another do.
   */
  async function writeInThreeTurns(crowd: Store): Promise<void> {
    const writes: Promise<number>[] = [];
    for (const n of [1, 2, 3]) {
      writes.push(crowd.writeAsService((tx) => insert(tx, n)));
      await turn();
    }
    await Promise.all(writes);
  }

  test('with those that arrive in the next turns of the event loop, while several requests are open', async () => {
    const groups: number[] = [];
    const crowd = besideRequests(3, groups);
    // Between two turns, a busy machine may take longer than the writer waits.
    const clock = spyOn(performance, 'now').mockReturnValue(performance.now());
    await writeInThreeTurns(crowd);
    clock.mockRestore();
    expect(groups).toEqual([3]);
    await crowd.close();
  });

  test('with nobody that a lone request would have to wait for', async () => {
    const groups: number[] = [];
    const crowd = besideRequests(1, groups);
    await writeInThreeTurns(crowd);
    expect(groups[0]).toBe(1);
    await crowd.close();
  });

  test('after a bounded wait, however many go on arriving', async () => {
    const groups: number[] = [];
    const crowd = besideRequests(1000, groups);
    let isFirstDone = false;
    const writes = [crowd.writeAsService((tx) => insert(tx, 0)).finally(() => (isFirstDone = true))];
    while (!isFirstDone && writes.length < 4000) {
      const n = writes.length;
      writes.push(crowd.writeAsService((tx) => insert(tx, 1000 + n)));
      await turn();
    }
    expect(isFirstDone).toBe(true);
    expect(Math.max(...groups)).toBeLessThanOrEqual(256);
    await Promise.all(writes);
    await crowd.close();
  });
});

describe('of several stores on one file, only the last one writes', () => {
  test('the earlier one is refused, in complete groups, once another has opened', async () => {
    await store.writeAsService((tx) => insert(tx, 1));
    const later = openStore(file, 'disk', hooks);
    const refused = await Promise.allSettled(
      [2, 3, 4].map((n) => store.writeAsService((tx) => insert(tx, n))),
    );
    expect(refused.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    for (const outcome of refused) expect(Object(outcome).reason).toBeInstanceOf(FencedOff);
    await expect(store.writeAlone((tx) => insert(tx, 5))).rejects.toBeInstanceOf(StorageUnavailable);
    expect(await store.healthy()).toBe(false);
    await later.writeAsService((tx) => insert(tx, 6));
    // Reading harms nobody.
    expect(await numbers()).toEqual([1, 6]);
    await later.close();
    await expect(store.writeAsService((tx) => insert(tx, 7))).rejects.toBeInstanceOf(FencedOff);
  });

  test('one that only reads does not take over', async () => {
    const reading = openReadStore(file, readableDatabase(file), hooks.failed);
    await expect(reading.writeAsService((tx) => insert(tx, 1))).rejects.toBeInstanceOf(ReadOnly);
    await store.writeAsService((tx) => insert(tx, 2));
    expect(
      await reading.read(({ connection: { sqlite } }) => sqlite.query('SELECT n FROM item').all()),
    ).toEqual([{ n: 2 }]);
    await reading.close();
  });
});
