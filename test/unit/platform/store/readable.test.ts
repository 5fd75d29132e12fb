import { Database } from 'bun:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { takeDataDirectory, takeWritableDirectory } from '../../../../src/platform/data-directory.ts';
import { openReader } from '../../../../src/platform/store/connection.ts';
import { readableDatabase, withReadable } from '../../../../src/platform/store/readable.ts';
import { openReadStore } from '../../../../src/platform/store/store.ts';
import { canMount, makeReadOnly, mount, unmount } from '../../../support/disk.ts';

let directory: string;
let file: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'countersign-readable ?#%-'));
  file = join(directory, 'trust.db');
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

/** Creates the database with one row, and a lock. @returns the open database */
function created(): Database {
  takeDataDirectory(directory).release();
  const database = new Database(file, { create: true });
  database.run('PRAGMA journal_mode = WAL');
  database.run('CREATE TABLE item (n INTEGER)');
  database.run('INSERT INTO item VALUES (1)');
  return database;
}

function rows(name: string): unknown {
  const { sqlite } = openReader(name);
  const all = sqlite.query('SELECT n FROM item').all();
  sqlite.close();
  return all;
}

test('a database whose directory can be written is opened itself', () => {
  created().close();
  const { name, isWritable, release } = readableDatabase(file);
  expect([name, isWritable, rows(name)]).toEqual([file, true, [{ n: 1 }]]);
  release();
});

test('a file that does not exist is left to the caller', () => {
  expect(readableDatabase(file).name).toBe(file);
});

describe('a database beside which SQLite cannot create its files', () => {
  // SQLite follows no link to this file.
  const obstruct = (): void => symlinkSync('nowhere', `${file}-shm`);

  test('is copied with its log, and the copy is removed at the end', async () => {
    created().close();
    obstruct();
    const copy = await withReadable(file, async (name) => {
      expect([name === file, rows(name)]).toEqual([false, [{ n: 1 }]]);
      return name;
    });
    expect(existsSync(copy)).toBe(false);
  });

  test('is an error if it cannot be copied', () => {
    created().close();
    obstruct();
    mkdirSync(`${file}-wal`);
    expect(() => readableDatabase(file)).toThrow(/trust\.db cannot be copied: /);
  });
});

describe.skipIf(!canMount)('on a read-only file system', () => {
  beforeEach(() => {
    expect(mount(directory, 4096)).toBe(true);
  });
  afterEach(() => {
    unmount(directory);
  });

  test('a database without a log is immutable, and its directory locked for reading until the end', async () => {
    created().close();
    expect(makeReadOnly(directory)).toBe(true);
    const held = takeDataDirectory(directory);
    expect([held.isReadOnly, held.isHeld()]).toEqual([true, true]);
    const readable = readableDatabase(file);
    expect(readable.name).toEndWith('/trust.db?immutable=1');
    expect(rows(readable.name)).toEqual([{ n: 1 }]);
    const store = openReadStore(file, readable, () => undefined);
    expect(await store.healthy()).toBe(true);
    await expect(store.writeAsService(() => undefined)).rejects.toThrow('this server is read-only');
    await store.close();
    readable.release();
    held.release();
    expect(() => takeWritableDirectory(directory)).toThrow(/is on a read-only file system/);
  });

  test('a database without a lock is copied, and its directory needs none', () => {
    created().close();
    rmSync(join(directory, 'lock'));
    expect(makeReadOnly(directory)).toBe(true);
    const { name, release } = readableDatabase(file);
    expect([name.startsWith(directory), rows(name)]).toEqual([false, [{ n: 1 }]]);
    release();
    const { isReadOnly, isHeld, release: end } = takeDataDirectory(directory);
    expect([isReadOnly, isHeld()]).toEqual([true, true]);
    end();
  });

  test('a database whose lock cannot be shared is copied', () => {
    created().close();
    rmSync(join(directory, 'lock'));
    mkdirSync(join(directory, 'lock'));
    expect(makeReadOnly(directory)).toBe(true);
    const { name, release } = readableDatabase(file);
    expect([name.startsWith(directory), rows(name)]).toEqual([false, [{ n: 1 }]]);
    release();
  });

  test('a log with commits is never ignored', () => {
    const database = created();
    const killed = join(directory, 'killed');
    mkdirSync(killed);
    for (const name of ['trust.db', 'trust.db-wal', 'lock'])
      copyFileSync(join(directory, name), join(killed, name));
    database.close();
    expect(makeReadOnly(directory)).toBe(true);
    const { name, release } = readableDatabase(join(killed, 'trust.db'));
    expect([name.startsWith(directory), rows(name)]).toEqual([false, [{ n: 1 }]]);
    release();
  });
});
