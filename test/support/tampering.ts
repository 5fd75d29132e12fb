import { Database, type SQLQueryBindings } from 'bun:sqlite';
import { copyFileSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { HIGH_WATER_FILE } from '../../src/trust/log/high-water.ts';
import { ACTS_FILE } from '../../src/trust/operators/restored/acts-file.ts';

export type Row = Record<string, SQLQueryBindings>;

/** Copies the data directory of an open service, as far as fsck reads it. */
export function copyOf(directory: string, target: string): void {
  rmSync(target, { recursive: true, force: true });
  const database = new Database(join(directory, 'trust.db'), { readonly: true });
  const copy = Buffer.from(database.serialize());
  database.close();
  mkdirSync(target, { recursive: true });
  writeFileSync(join(target, 'trust.db'), copy);
  for (const file of [HIGH_WATER_FILE, ACTS_FILE])
    if (existsSync(join(directory, file))) copyFileSync(join(directory, file), join(target, file));
  const masterKey = join(directory, 'keys', 'master.key');
  if (!existsSync(masterKey)) return;
  mkdirSync(join(target, 'keys'));
  copyFileSync(masterKey, join(target, 'keys', 'master.key'));
}

/** Whether a sentence names a row of a table by its key, as it was or as it has become. */
export function names(
  sentence: string,
  table: string,
  keys: readonly string[],
  places: readonly SQLQueryBindings[][],
): boolean {
  return places.some((location) => {
    const key = keys.map((column, at) => `${column} ${location[at]}`).join(', ');
    return sentence.includes(`${table} (${key})`) || sentence.includes(`row ${location[0]} of ${table} `);
  });
}

/** The value with one bit of one byte changed. */
export function flip(value: SQLQueryBindings): SQLQueryBindings {
  if (typeof value === 'number') return value + 65_536;
  const bytes = typeof value === 'string' ? Buffer.from(value) : Buffer.from(new Uint8Array(Object(value)));
  const middle = Math.floor(bytes.length / 2);
  bytes[middle] = (bytes[middle] ?? 0) ^ 1;
  return typeof value === 'string' ? bytes.toString() : bytes;
}

/**
 * Opens the database of a directory, usually a copy, so that everything in it can be changed: nothing refuses
 * a wrong row any more.
 */
export function openUnguarded(directory: string): Database {
  const database = new Database(join(directory, 'trust.db'), { readwrite: true, strict: true });
  database.run('PRAGMA ignore_check_constraints = ON');
  database.run('PRAGMA foreign_keys = OFF');
  database.run('PRAGMA synchronous = OFF');
  withoutTriggers(database);
  return database;
}

/** Removes all triggers. */
export function withoutTriggers(database: Database): void {
  for (const name of triggersOf(database)) database.run(`DROP TRIGGER ${name}`);
}

/** Returns the names of all triggers. */
export function triggersOf(database: Database): string[] {
  const triggers = database
    .query<{ name: string }, []>("SELECT name FROM sqlite_schema WHERE type = 'trigger'")
    .all();
  return triggers.map(({ name }) => name);
}

/**
 * Changes rows of a table that its triggers keep from being changed, and leaves the triggers as they were.
 */
export function pastTriggers(database: Database, table: string, act: () => void): void {
  const triggers = database
    .query<{ name: string; sql: string }, [string]>(
      "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = ?",
    )
    .all(table);
  // One transaction: otherwise each statement waits for the disk.
  database.transaction(() => {
    for (const { name } of triggers) database.run(`DROP TRIGGER ${name}`);
    act();
    for (const { sql } of triggers) database.run(sql);
  })();
}
