import { closeSync, existsSync, fstatSync, openSync, readSync } from 'node:fs';
import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Static, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { matchOwner, writeSecretFile } from '../../../platform/files/write.ts';
import { timestampOf } from '../../../platform/time/timestamp.ts';
import type { LastingActRow } from './store.ts';

/** The name of the file in the data directory. Like the keys, it is in no backup of the database. */
export const ACTS_FILE = 'irrevocable.ndjson';

/** The end of the file that a start reads, in bytes. */
const TAIL = 64 * 1024;
/** A file of more bytes loses its old lines at a start. */
const COMPACT_FROM = 4 * 1024 * 1024;
/** How long a line is kept, in milliseconds. No older backup should be restored. */
const KEPT_MS = 400 * 24 * 3_600_000;

const hex = (bytes: number) => Type.RegExp(new RegExp(`^[0-9a-f]{${2 * bytes}}$`));
const at = Type.String({ minLength: 1 });

/** Since when the file is complete. */
const Begin = Type.Object({ act: Type.Literal('begin'), at });
const KeyDeleted = Type.Object({
  act: Type.Literal('key_deleted'),
  id: hex(16),
  at,
  key_hash: hex(32),
  operator_id: Type.String(),
});
const PayoutEnded = Type.Object({
  act: Type.Literal('payout_ended'),
  id: hex(16),
  at,
  withdrawal_id: Type.RegExp(/^wdr_[0-9a-f]{32}$/),
  status: Type.Union([Type.Literal('confirmed'), Type.Literal('failed')]),
  subject_commitment: hex(32),
  amount: Type.Integer({ minimum: 1 }),
  reference: Type.String(),
  address: Type.String(),
  external_reference: Type.Union([Type.String({ minLength: 1 }), Type.Null()]),
});
const RestoreAccepted = Type.Object({ act: Type.Literal('restore_accepted'), id: hex(16), at });
const Line = Type.Union([Begin, KeyDeleted, PayoutEnded, RestoreAccepted]);

export type ActLine = Static<typeof Line>;
export type PayoutEnd = Static<typeof PayoutEnded>;

/** What the whole file says. */
export interface Acts {
  lines: ActLine[];
  /** The lines that nobody can read, such as one that a crash cut off. */
  unreadable: number;
}

/** Returns the text of a stored act as a line. */
export function lineOf({ actId, createdAt, act }: LastingActRow): string {
  const members: unknown = JSON.parse(act);
  return `${JSON.stringify({ id: actId, at: timestampOf(createdAt), ...Object(members) })}\n`;
}

/** Returns a file that is complete since a time, with some lines. */
const fileText = (since: string, lines: readonly string[]): string =>
  [JSON.stringify({ act: 'begin', at: since }), ...lines, ''].join('\n');

/** Creates the file. @param now milliseconds since 1970 */
export function createActsFile(directory: string, now: number): void {
  const path = join(directory, ACTS_FILE);
  writeSecretFile(path, fileText(timestampOf(now), []));
  matchOwner(directory, [path]);
}

/** Returns the newest line that can be read; null without the file, undefined for a file without one. */
export function newestLine(directory: string): ActLine | null | undefined {
  const path = join(directory, ACTS_FILE);
  if (!existsSync(path)) return null;
  const file = openSync(path, 'r');
  try {
    const { size } = fstatSync(file);
    const tail = Buffer.alloc(Math.min(size, TAIL));
    readSync(file, tail, 0, tail.length, size - tail.length);
    return parsed(tail.toString()).lines.at(-1);
  } finally {
    closeSync(file);
  }
}

/** Reads the whole file; null without it. */
export async function readActs(directory: string): Promise<Acts | null> {
  const path = join(directory, ACTS_FILE);
  return existsSync(path) ? parsed(await readFile(path, 'utf8')) : null;
}

/** Appends lines durably, without blocking the thread. What a crash cut off gets an end first. */
export async function appendLines(directory: string, lines: readonly string[]): Promise<void> {
  const file = await open(join(directory, ACTS_FILE), 'a+', 0o600);
  try {
    const { size } = await file.stat();
    const last = Buffer.alloc(1);
    if (size > 0) await file.read(last, 0, 1, size - 1);
    const isCut = size > 0 && last.toString() !== '\n';
    await file.appendFile(`${isCut ? '\n' : ''}${lines.join('')}`);
    await file.sync();
  } finally {
    await file.close();
  }
}

/**
 * Removes lines from a large file that are 400 days older than the newest one. What it keeps stays as it is,
 * also lines that only a newer version can read. Call it only if the database has all acts.
 * @param now milliseconds since 1970
 */
export async function compactActs(directory: string, now: number): Promise<void> {
  const path = join(directory, ACTS_FILE);
  const text = await readFile(path, 'utf8');
  if (text.length < COMPACT_FROM) return;
  const lines = text.split('\n').filter((line) => line !== '');
  const acts = lines.map(parsedLine);
  const newest = acts.findLast((act) => act !== null);
  if (newest === undefined || newest === null) return;
  // A clock that is far ahead must not make new lines old.
  const cut = Math.min(now, Date.parse(newest.at)) - KEPT_MS;
  const begin = acts.find((act) => act?.act === 'begin');
  const since = Math.max(cut, Date.parse(begin?.at ?? '') || 0);
  const kept = lines.filter((_, index) => {
    const act = acts[index] ?? null;
    // The newest line shows whether the database has all of them.
    return act === null || act === newest || (act.act !== 'begin' && Date.parse(act.at) >= cut);
  });
  if (kept.length >= lines.length - 1) return;
  writeSecretFile(path, fileText(timestampOf(since), kept));
  matchOwner(directory, [path]);
}

function parsed(text: string): Acts {
  const acts: Acts = { lines: [], unreadable: 0 };
  for (const line of text.split('\n')) {
    if (line === '') continue;
    const value = parsedLine(line);
    if (value === null) acts.unreadable += 1;
    else acts.lines.push(value);
  }
  return acts;
}

function parsedLine(line: string): ActLine | null {
  try {
    const value: unknown = JSON.parse(line);
    return Value.Check(Line, value) ? value : null;
  } catch {
    return null;
  }
}
