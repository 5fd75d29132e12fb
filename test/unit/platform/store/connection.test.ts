import { expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openWriter } from '../../../../src/platform/store/connection.ts';

/** Locks a database for as long as closing a long log may take, as the last connection of a process does. */
const LOCKER = `
  import { Database } from 'bun:sqlite';
  const database = new Database(process.argv[1]);
  database.run('PRAGMA locking_mode = EXCLUSIVE');
  database.run('BEGIN EXCLUSIVE');
  process.stdout.write('locked');
  await Bun.stdin.text();
  database.run('COMMIT');
`;

test("the writer's connection waits while another process locks the file", async () => {
  const directory = mkdtempSync(join(tmpdir(), 'countersign-connection-'));
  const file = join(directory, 'data.db');
  try {
    openWriter(file, 'disk').sqlite.close();
    const other = Bun.spawn([process.execPath, '-e', LOCKER, file], { stdin: 'pipe', stdout: 'pipe' });
    await other.stdout.getReader().read();
    // The other process is told before this thread waits, and needs a moment to start to unlock.
    other.stdin.end();
    const { sqlite } = openWriter(file, 'disk');
    expect(sqlite.query('PRAGMA journal_mode').get()).toEqual({ journal_mode: 'wal' });
    sqlite.close();
    await other.exited;
  } finally {
    rmSync(directory, { recursive: true });
  }
});
