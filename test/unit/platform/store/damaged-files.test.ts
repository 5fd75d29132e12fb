import { Database } from 'bun:sqlite';
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readableDatabase } from '../../../../src/platform/store/readable.ts';
import { openReadStore, openStore, type Store } from '../../../../src/platform/store/store.ts';
import type { Transaction } from '../../../../src/platform/store/transaction.ts';
import { checkpointed } from '../../../support/checkpointed.ts';

let directory: string;
let file: string;
let store: Store;
let failures: unknown[];

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'countersign-damaged-'));
  file = join(directory, 'trust.db');
  const database = new Database(file, { create: true });
  database.run('CREATE TABLE item (n INTEGER PRIMARY KEY, text TEXT) STRICT');
  database.close();
  failures = [];
  store = openStore(file, 'disk', { failed: (error) => void failures.push(error), group: () => undefined });
  for (let n = 0; n < 50; n++) await store.writeAsService((tx) => insert(tx, n));
});
afterEach(async () => {
  await store.close();
  rmSync(directory, { recursive: true });
});

/** Writes more than a page, so that the file grows. */
function insert(tx: Transaction, n: number): void {
  tx.connection.sqlite.query('INSERT INTO item (n, text) VALUES (?, ?)').run(n, 'x'.repeat(5000));
}

/** Overwrites a file as `cp` does: the file stays the same one. */
function overwrite(path: string, bytes: Uint8Array): void {
  writeFileSync(path, bytes);
}

async function expectLost(name: string): Promise<void> {
  const outcomes = await Promise.allSettled(
    [100, 101].map((n) => store.writeAsService((tx) => insert(tx, n))),
  );
  for (const outcome of outcomes) {
    expect(outcome).toMatchObject({ status: 'rejected', reason: { name: 'FileLost' } });
  }
  expect(store.files.problem).toBe(
    `The file ${name} was shortened or overwritten while the server ran; nothing more is written until the next start.`,
  );
  expect(await store.healthy()).toBe(false);
  expect(failures).toMatchObject([{ name: 'FileLost' }]);
}

test.each([
  ['', 0],
  ['-wal', 0],
  ['', 8192],
  ['-wal', 32 + 10 * 4120],
])('after trust.db%s was cut to %d bytes not one more write is acknowledged', async (suffix, length) => {
  await checkpointed(file);
  truncateSync(file + suffix, length);
  await expectLost(`trust.db${suffix}`);
});

test('a write-ahead log that is cut during a transaction costs this transaction its acknowledgement', async () => {
  // Without syncing nothing moves the log into the database beside the transaction.
  await store.close();
  store = openStore(file, 'memory', { failed: (error) => void failures.push(error), group: () => undefined });
  for (let n = 50; n < 60; n++) await store.writeAsService((tx) => insert(tx, n));
  const writing = store.writeAsService((tx) => {
    insert(tx, 60);
    truncateSync(`${file}-wal`, 0);
  });
  await expect(writing).rejects.toMatchObject({ name: 'FileLost' });
  await expectLost('trust.db-wal');
});

test('an older copy of the write-ahead log over it stops all writes', async () => {
  const older = readFileSync(`${file}-wal`);
  await store.writeAsService((tx) => insert(tx, 60));
  overwrite(`${file}-wal`, older);
  await expectLost('trust.db-wal');
});

test('zeros over the beginning of the write-ahead log stop all writes', async () => {
  const log = readFileSync(`${file}-wal`);
  overwrite(`${file}-wal`, log.fill(0, 0, 4096));
  await expectLost('trust.db-wal');
});

test('a backup that was copied over the database stops all writes, even when it is as large', async () => {
  const backup = join(directory, 'backup.db');
  const database = new Database(file);
  database.run('VACUUM INTO ?', [backup]);
  database.close();
  await checkpointed(file);
  const bytes = Buffer.alloc(readFileSync(file).length);
  readFileSync(backup).copy(bytes);
  overwrite(file, bytes);
  await expectLost('trust.db');
});

test('an older copy of the database file over it stops all writes', async () => {
  await checkpointed(file);
  copyFileSync(file, join(directory, 'older.db'));
  for (let n = 60; n < 90; n++) await store.writeAsService((tx) => insert(tx, n));
  await checkpointed(file);
  overwrite(file, readFileSync(join(directory, 'older.db')));
  await expectLost('trust.db');
});

test('a check without a write finds a damaged file too', () => {
  truncateSync(file, 0);
  expect(store.files.check()).toContain('The file trust.db was shortened or overwritten');
});

test('SQLite problem the database damaged stops all writes, whether a read or a write finds it', async () => {
  await checkpointed(file);
  const bytes = readFileSync(file);
  await store.close();
  // All but the first page, which has the header and the schema.
  overwrite(file, bytes.fill(0xff, 4096));
  store = openStore(file, 'disk', { failed: (error) => void failures.push(error), group: () => undefined });
  const counting = store.read(({ connection }) => connection.sqlite.query('SELECT sum(n) FROM item').get());
  await expect(counting).rejects.toMatchObject({ code: expect.stringMatching(/^SQLITE_CORRUPT/) });
  await expect(store.writeAsService(() => undefined)).rejects.toMatchObject({ name: 'FileLost' });
  expect(store.files.problem).toMatch(/^The file trust\.db was found damaged \(SQLITE_CORRUPT\w*\) while/);
  expect(await store.healthy()).toBe(false);
});

test("other programs' checkpoints, VACUUM and writes beside a server are no damage", async () => {
  for (const [at, sql] of [
    'PRAGMA wal_checkpoint(TRUNCATE)',
    'PRAGMA wal_checkpoint(RESTART)',
    'DELETE FROM item WHERE n BETWEEN 5 AND 45',
    'VACUUM',
    'PRAGMA wal_checkpoint(TRUNCATE)',
    'CREATE INDEX item_text ON item (text)',
  ].entries()) {
    const other = new Database(file);
    other.run('PRAGMA busy_timeout = 5000');
    other.run(sql);
    other.close();
    expect(store.files.check()).toBeNull();
    for (let n = 0; n < 5; n++) await store.writeAsService((tx) => insert(tx, 1000 + 10 * at + n));
    expect(store.files.check()).toBeNull();
  }
  expect(failures).toEqual([]);
});

test('a smaller database that was put in place before the start is no damage, though a connection was open', async () => {
  const backup = join(directory, 'backup.db');
  await checkpointed(file);
  copyFileSync(file, backup);
  const idle = new Database(file);
  idle.query('SELECT 1 FROM sqlite_schema').get();
  for (let n = 60; n < 90; n++) await store.writeAsService((tx) => insert(tx, n));
  await store.close();
  overwrite(file, readFileSync(backup));
  store = openReadStore(file, readableDatabase(file), (error) => void failures.push(error));
  expect(store.files.check()).toBeNull();
  expect(await store.healthy()).toBe(true);
  idle.close();
});

test('a write-ahead log that was cut is not moved into the database when the store is closed', async () => {
  await checkpointed(file);
  truncateSync(`${file}-wal`, 0);
  await expectLost('trust.db-wal');
  await store.close();
  const copy = join(directory, 'copy.db');
  copyFileSync(file, copy);
  const database = new Database(copy);
  expect(database.query('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' });
  expect(database.query('SELECT count(*) AS n FROM item').get()).toEqual({ n: 50 });
  database.close();
});

test('a write lock of another process delays a write and nobody else, and then it is written', async () => {
  const other = new Database(file);
  other.run('BEGIN IMMEDIATE');
  const writing = store.writeAsService((tx) => insert(tx, 60));
  let longest = 0;
  for (let turn = 0; turn < 20; turn++) {
    const before = performance.now();
    await Bun.sleep(10);
    longest = Math.max(longest, performance.now() - before);
  }
  other.run('COMMIT');
  other.close();
  await writing;
  expect(longest).toBeLessThan(200);
});

test('a write lock that another process keeps is Overloaded', async () => {
  const other = new Database(file);
  other.run('BEGIN IMMEDIATE');
  const writes = [60, 61].map((n) => store.writeAsService((tx) => insert(tx, n)));
  for (const outcome of await Promise.allSettled(writes)) {
    expect(outcome).toMatchObject({ status: 'rejected', reason: { name: 'Overloaded' } });
  }
  other.close();
  expect(await store.healthy()).toBe(true);
  await store.writeAsService((tx) => insert(tx, 60));
});
