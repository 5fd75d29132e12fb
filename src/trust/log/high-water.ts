import { open, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { type Static, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { nativePrimitives } from '../../platform/crypto/crypto.ts';
import { Failure } from '../../platform/failure.ts';
import { readText } from '../../platform/files/read.ts';
import { bytesToHex } from '../../proof/encoding/hex.ts';
import { LATER_LOGS, LOG_NAMES, mapLogs } from '../../proof/log/log-names.ts';
import { emptyRoot } from '../../proof/log/merkle.ts';

/** The name of the file in the data directory. Like the keys, it is in no backup of the database. */
export const HIGH_WATER_FILE = 'log.high-water';

const Mark = Type.Object({
  tree_size: Type.Integer({ minimum: 0 }),
  /** 64 lower-case hexadecimal characters. */
  root_hash: Type.RegExp(/^[0-9a-f]{64}$/),
});
const HighWater = Type.Object({
  origin: Type.String({ minLength: 1 }),
  logs: Type.Object(mapLogs(() => Mark)),
});

/** The mark of a log without a published tree. */
export const NOTHING_PUBLISHED = { tree_size: 0, root_hash: bytesToHex(emptyRoot(nativePrimitives)) };

/** The marks of the logs that an earlier version did not have. */
const UNKNOWN_LOGS = Object.fromEntries(LATER_LOGS.map((name) => [name, NOTHING_PUBLISHED]));

/**
 * The largest published tree of each log. A database that was rolled back does not know what was published;
 * this file does.
 */
export type HighWater = Static<typeof HighWater>;

/** Reads the mark; null if there is none. @throws Failure for a file that cannot be read */
export function readHighWater(directory: string, name = HIGH_WATER_FILE): HighWater | null {
  const path = join(directory, name);
  let value: unknown;
  try {
    value = JSON.parse(readText(path));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw damaged(path, error instanceof Error ? error.message : String(error));
  }
  const known = withLaterLogs(value);
  if (Value.Check(HighWater, known)) return known;
  throw damaged(path, `it does not name the trees of ${LOG_NAMES.join(', ')}`);
}

/** Adds the logs that an earlier version did not have to what it wrote. */
function withLaterLogs(value: unknown): unknown {
  const isMark = typeof value === 'object' && value !== null && 'logs' in value;
  if (!isMark || typeof value.logs !== 'object' || value.logs === null) return value;
  return { ...value, logs: { ...UNKNOWN_LOGS, ...value.logs } };
}

/**
 * Writes the mark durably and atomically, without blocking the thread: writes and syncs a new file, renames
 * it over the old one, and syncs the directory.
 */
export async function writeHighWater(directory: string, mark: HighWater): Promise<void> {
  const path = join(directory, HIGH_WATER_FILE);
  const fresh = `${path}.new`;
  const file = await open(fresh, 'w', 0o600);
  try {
    await file.writeFile(`${JSON.stringify(mark, null, 2)}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(fresh, path);
  await syncDirectory(directory);
}

/** Syncs a directory, so that the names of its files are durable. */
export async function syncDirectory(directory: string): Promise<void> {
  const parent = await open(directory, 'r');
  try {
    await parent.sync();
  } finally {
    await parent.close();
  }
}

/**
 * Returns whether no checkpoint was published under the mark's name, as in the mark that a restart or a
 * renaming writes before it opens the logs.
 */
export function isUnpublished({ logs }: HighWater): boolean {
  return LOG_NAMES.every((name) => logs[name].tree_size === 0);
}

function damaged(path: string, reason: string): Failure {
  return new Failure(
    `${path} is damaged: ${reason}`,
    'restore it from the old machine; if it is lost, start a new log with countersign log restart',
  );
}
