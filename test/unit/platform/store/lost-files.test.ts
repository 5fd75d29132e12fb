import { Database } from 'bun:sqlite';
import { afterEach, beforeEach, expect, test } from 'bun:test';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { StorageUnavailable } from '../../../../src/platform/store/errors.ts';
import { openStore, type Store } from '../../../../src/platform/store/store.ts';
import type { Transaction } from '../../../../src/platform/store/transaction.ts';
import { checkpointed } from '../../../support/checkpointed.ts';

let directory: string;
let file: string;
let store: Store;
let failures: unknown[];

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'countersign-lost-'));
  file = join(directory, 'trust.db');
  const database = new Database(file, { create: true });
  database.run('CREATE TABLE item (n INTEGER PRIMARY KEY) STRICT');
  database.close();
  failures = [];
  store = openStore(file, 'disk', { failed: (error) => void failures.push(error), group: () => undefined });
  // The checkpointer opens the files with the first write, and has then moved everything into the database.
  await store.writeAsService((tx) => insert(tx, 0));
  await checkpointed(file);
});
afterEach(() => rmSync(directory, { recursive: true }));

function insert(tx: Transaction, n: number): void {
  tx.connection.sqlite.query('INSERT INTO item (n) VALUES (?)').run(n);
}

test('after a link to the data directory was pointed elsewhere not one more write is acknowledged', async () => {
  await store.close();
  const [link, elsewhere] = [`${directory}-link`, `${directory}-elsewhere`];
  symlinkSync(directory, link);
  cpSync(directory, elsewhere, { recursive: true });
  store = openStore(join(link, basename(file)), 'disk', { failed: () => undefined, group: () => undefined });
  await store.writeAsService((tx) => insert(tx, 1));
  rmSync(link);
  symlinkSync(elsewhere, link);
  const writes = [2, 3].map((n) => store.writeAsService((tx) => insert(tx, n)));
  for (const outcome of await Promise.allSettled(writes)) {
    expect(outcome).toMatchObject({ status: 'rejected', reason: { name: 'FileLost' } });
  }
  await store.close();
  for (const path of [link, elsewhere]) rmSync(path, { recursive: true });
});

test.each([
  ['', 'removed'],
  ['-wal', 'removed'],
  ['-shm', 'removed'],
  ['', 'replaced'],
  ['-wal', 'replaced'],
])(
  'after trust.db%s was %s not one more write is acknowledged, until the next start',
  async (suffix, how) => {
    await store.writeAsService((tx) => insert(tx, 1));
    const lost = file + suffix;
    renameSync(lost, `${lost}.away`);
    if (how === 'replaced') writeFileSync(lost, '');
    const writes = [2, 3, 4].map((n) => store.writeAsService((tx) => insert(tx, n)));
    for (const outcome of await Promise.allSettled(writes)) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: { name: 'FileLost' } });
    }
    expect(store.files.problem).toBe(
      `The file trust.db${suffix} was ${how} while the server ran; nothing more is written until the next start.`,
    );
    expect(await store.healthy()).toBe(false);
    // Nor when it comes back: what was written meanwhile is nowhere.
    rmSync(lost, { force: true });
    renameSync(`${lost}.away`, lost);
    await expect(store.writeAsService((tx) => insert(tx, 5))).rejects.toBeInstanceOf(StorageUnavailable);
    expect(failures).toMatchObject([{ name: 'FileLost' }]);
    await store.close();
  },
);

test("closing takes away no write-ahead log that is another's by now", async () => {
  await store.writeAsService((tx) => insert(tx, 1));
  for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix);
  writeFileSync(`${file}-wal`, 'of the database that took its place');
  await store.close();
  expect(readFileSync(`${file}-wal`, 'utf8')).toBe('of the database that took its place');
});

test('what a deleted write-ahead log held is in the database after an orderly end', async () => {
  await store.writeAsService((tx) => insert(tx, 1));
  rmSync(`${file}-wal`);
  await store.close();
  const database = new Database(file);
  expect(database.query('SELECT n FROM item').all()).toEqual([{ n: 0 }, { n: 1 }]);
  database.close();
});

test('keys are watched with their directory, and those that are added later too', async () => {
  const keys = join(directory, 'keys');
  mkdirSync(keys);
  writeFileSync(join(keys, 'a.pem'), '');
  store.files.watchKeys(keys);
  writeFileSync(join(keys, 'b.pem'), '');
  writeFileSync(join(keys, 'c.pem.new'), '');
  expect(store.files.check()).toBeNull();
  // A temporary file before its rename is not a key yet.
  rmSync(join(keys, 'c.pem.new'));
  expect(store.files.check()).toBeNull();
  rmSync(join(keys, 'b.pem'));
  expect(store.files.check()).toContain('keys/b.pem was removed');
  await expect(store.writeAsService((tx) => insert(tx, 1))).rejects.toMatchObject({ name: 'FileLost' });
  await store.close();
});

test('a directory of keys that is gone, or another, is a loss', async () => {
  const keys = join(directory, 'keys');
  mkdirSync(keys);
  store.files.watchKeys(keys);
  renameSync(keys, `${keys}.away`);
  mkdirSync(keys);
  expect(store.files.check()).toContain('The file keys was replaced');
  await store.close();
});
