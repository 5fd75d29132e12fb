import { closeSync, fsyncSync, openSync, renameSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { type Static, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { Failure } from '../../../../platform/failure.ts';
import { readText } from '../../../../platform/files/read.ts';
import { matchOwner, syncPath } from '../../../../platform/files/write.ts';

/** The name of the file in the data directory. Like the keys, it is in no backup of the database. */
export const ENDED_KEYS_FILE = 'keys.ended';

const EndedKey = Type.Object({
  kid: Type.String({ minLength: 1 }),
  event: Type.Union([Type.Literal('retired'), Type.Literal('compromised')]),
  /** RFC 3339. */
  at: Type.String({ minLength: 1 }),
  /** The size of the log of receipts. */
  receipts_tree_size: Type.Integer({ minimum: 0 }),
});
const EndedKeys = Type.Array(EndedKey);

/** The end of a signing key, as an entry of the key log says it. */
export type EndedKey = Static<typeof EndedKey>;

/**
 * Reads the ends of keys, oldest first; none without the file. A database that was restored from an older
 * backup does not know them; this file does.
 * @throws Failure for a file that cannot be read
 */
export function readEndedKeys(directory: string): EndedKey[] {
  const path = join(directory, ENDED_KEYS_FILE);
  let value: unknown;
  try {
    value = JSON.parse(readText(path));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw damaged(path, error instanceof Error ? error.message : String(error));
  }
  if (Value.Check(EndedKeys, value)) return value;
  throw damaged(path, 'it is not a list of the ends of keys');
}

/**
 * Adds the ends that the file does not have, durably and atomically. It blocks the thread for some
 * milliseconds, so that no two changes overlap: a key ends rarely.
 */
export function addEndedKeys(directory: string, ends: readonly EndedKey[]): void {
  const known = readEndedKeys(directory);
  const isKnown = (end: EndedKey): boolean =>
    known.some(
      ({ kid, event, at, receipts_tree_size: size }) =>
        kid === end.kid && event === end.event && at === end.at && size === end.receipts_tree_size,
    );
  const missing = ends.filter((end) => !isKnown(end));
  if (missing.length === 0) return;
  const path = join(directory, ENDED_KEYS_FILE);
  const fresh = `${path}.new`;
  writeDurably(fresh, `${JSON.stringify([...known, ...missing], null, 2)}\n`);
  matchOwner(directory, [fresh]);
  renameSync(fresh, path);
  syncPath(directory);
}

function writeDurably(path: string, text: string): void {
  const file = openSync(path, 'w', 0o600);
  try {
    writeSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

function damaged(path: string, reason: string): Failure {
  return new Failure(
    `${path} is damaged: ${reason}`,
    'restore it from the old machine; if it is lost, remove it, and report again each key that was compromised after the backup',
  );
}
