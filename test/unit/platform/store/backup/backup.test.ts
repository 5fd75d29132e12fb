import { Database } from 'bun:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DataDirectory, takeDataDirectory } from '../../../../../src/platform/data-directory.ts';
import { restore } from '../../../../../src/platform/restore.ts';
import { backUp } from '../../../../../src/platform/store/backup/backup.ts';
import { migrate, type Schema } from '../../../../../src/platform/store/migrations/migrate.ts';
import { systemClock } from '../../../../../src/platform/time/clock.ts';

const one = { name: '0001_one', sql: 'CREATE TABLE one (n INTEGER, filler TEXT) STRICT;' };
const two = { name: '0002_two', sql: 'ALTER TABLE one ADD COLUMN m INTEGER;' };
const schema = (...migrations: Schema['migrations'][number][]): Schema => ({
  applicationId: 42,
  service: 'trust',
  migrations,
});

let path: string;
let directory: DataDirectory;
const file = (name: string): string => join(path, name);
beforeEach(() => {
  path = mkdtempSync(join(tmpdir(), 'countersign-backup-'));
  directory = takeDataDirectory(file('data'));
});
afterEach(() => {
  directory.release();
  rmSync(path, { recursive: true });
});

/** A database with rows `1..count`, left open as a running service has it. */
function filled(database: string, count: number): Database {
  migrate(database, schema(one));
  const open = new Database(database, { readwrite: true });
  open.run('PRAGMA wal_autocheckpoint = 0');
  const insert = open.query('INSERT INTO one VALUES (?, ?)');
  open.transaction(() => {
    for (let n = 1; n <= count; n++) insert.run(n, 'x'.repeat(500));
  })();
  return open;
}

function rowsOf(database: string): number {
  const open = new Database(database, { readwrite: true });
  const { n } = open.query<{ n: number }, []>('SELECT count(*) AS n FROM one').get() ?? { n: -1 };
  open.close();
  return n;
}

/** What lies in the data directory, but for its lock. */
const held = (): string[] =>
  readdirSync(file('data'))
    .filter((name) => !name.startsWith('lock'))
    .sort();

const put = (backup: string, options: { force?: boolean; known?: Schema } = {}) =>
  restore(
    file(backup),
    directory,
    { name: 'trust.db', schema: options.known ?? schema(one) },
    {
      force: options.force === true,
      clock: systemClock,
    },
  );

describe('a backup', () => {
  test('of a database in use has all that was committed, and nothing that was not', async () => {
    const open = filled(file('live.db'), 2000);
    open.run('BEGIN');
    open.run("INSERT INTO one VALUES (2001, 'not yet')");
    const seen: number[] = [];
    const bytes = await backUp(file('live.db'), schema(one), file('copy.db'), (written) =>
      seen.push(written),
    );
    open.run('COMMIT');
    open.close();
    expect(rowsOf(file('copy.db'))).toBe(2000);
    expect([statSync(file('copy.db')).size, statSync(file('copy.db')).mode & 0o777]).toEqual([bytes, 0o600]);
    expect(seen.every((written) => written <= bytes)).toBe(true);
    expect(readdirSync(path).filter((name) => name.includes('.new'))).toEqual([]);
  });

  test("replaces nothing, and is made of nothing but this service's database", async () => {
    filled(file('live.db'), 1).close();
    writeFileSync(file('copy.db'), 'mine');
    const to = (out: string, of = 'live.db', known = schema(one)) =>
      backUp(file(of), known, file(out), () => undefined);
    await expect(to('copy.db')).rejects.toThrow('already exists');
    await expect(to('no/copy.db')).rejects.toThrow('cannot be written');
    await expect(to('new.db', 'missing.db')).rejects.toThrow('cannot be read');
    await expect(to('new.db', 'copy.db')).rejects.toThrow('damaged, or no database');
    await expect(to('new.db', 'live.db', { ...schema(one), applicationId: 43 })).rejects.toThrow(
      'not one of',
    );
    expect(readFileSync(file('copy.db'), 'utf8')).toBe('mine');
    expect(readdirSync(path).sort()).toEqual(['copy.db', 'data', 'live.db']);
  });
});

describe('restoring a backup', () => {
  beforeEach(async () => {
    filled(file('live.db'), 2000).close();
    await backUp(file('live.db'), schema(one), file('copy.db'), () => undefined);
  });

  test('works into an empty directory, and with force over what is there, which is kept', () => {
    expect(put('copy.db')).toEqual({ migrations: [], changes: [], replaced: null });
    const now = filled(file('data/trust.db'), 5);
    now.close();
    expect(() => put('copy.db')).toThrow('already exists');
    const { replaced } = put('copy.db', { force: true });
    expect([rowsOf(file('data/trust.db')), rowsOf(replaced ?? '')]).toEqual([2000, 2005]);
    expect(held()).toEqual(['backups', 'trust.db']);
  });

  test('works over a damaged database, which is kept as it is', () => {
    writeFileSync(file('data/trust.db'), 'no database at all');
    const { replaced } = put('copy.db', { force: true });
    expect(rowsOf(file('data/trust.db'))).toBe(2000);
    expect(readFileSync(replaced ?? '', 'utf8')).toBe('no database at all');
  });

  test('brings an older one to this version', () => {
    expect(put('copy.db', { known: schema(one, two) }).migrations).toEqual(['0002_two']);
    expect(existsSync(file('data/backups'))).toBe(false);
  });

  test('refuses what is no good, and nothing has changed', () => {
    const size = statSync(file('copy.db')).size;
    for (const [name, length] of [
      ['half.db', size / 2],
      ['short.db', size - 1],
      ['header.db', 100],
      ['empty.db', 0],
    ] as const) {
      copyFileSync(file('copy.db'), file(name));
      truncateSync(file(name), Math.floor(length));
    }
    const bytes = readFileSync(file('copy.db'));
    bytes.fill(0xa5, size / 2, size / 2 + 2000);
    writeFileSync(file('bent.db'), bytes);
    writeFileSync(file('words.db'), 'no database, however long it is. '.repeat(1000));
    writeFileSync(file('keys.db'), '{"format":"countersign keys backup","version":1}');
    const foreign = new Database(file('foreign.db'), { create: true });
    foreign.run('CREATE TABLE theirs (n INTEGER)');
    foreign.close();
    new Database(file('nothing.db'), { create: true }).run('VACUUM');
    writeFileSync(file('used.db'), '');
    writeFileSync(file('used.db-wal'), 'x');
    filled(file('data/trust.db'), 3).close();
    for (const [name, message] of [
      ['half.db', /cannot be restored: .*(damaged|malformed)/],
      ['short.db', /cannot be restored: .*(damaged|malformed)/],
      ['header.db', /cannot be restored/],
      ['empty.db', /cannot be restored: this database is not one of the trust service/],
      ['bent.db', /cannot be restored: .*damaged/],
      ['words.db', /words.db cannot be restored: it is no database, or damaged$/],
      ['keys.db', /keys.db cannot be restored: it is a backup of keys$/],
      ['foreign.db', /cannot be restored: this database is not one of the trust service/],
      ['nothing.db', /cannot be restored: this database is not one of the trust service/],
      ['used.db', /is a database in use, not a backup: .*used.db-wal exists next to it/],
      ['missing.db', /cannot be copied/],
    ] as const) {
      expect(() => put(name, { force: true }), name).toThrow(message);
    }
    const newer = schema(one);
    filled(file('newer.db'), 1).close();
    migrate(file('newer.db'), schema(one, two));
    expect(() => put('newer.db', { force: true, known: newer })).toThrow(/newer than this program/);
    expect(rowsOf(file('data/trust.db'))).toBe(3);
    expect(held()).toEqual(['trust.db']);
  });
});
