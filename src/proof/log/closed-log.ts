import { isHex } from '../encoding/hex.ts';
import { isJsonObject, type JsonValue } from '../encoding/json.ts';
import { TrustedKeysError } from '../keys/trusted-keys.ts';
import type { LogClosedEntry } from './log-change.ts';
import { isOriginOf, LOG_NAMES } from './log-names.ts';

/** A closed log, as a list of trusted keys names it: what its log of keys says of it. */
export type ClosedLog = Pick<LogClosedEntry, 'log' | 'origin' | 'tree_size' | 'root_hash' | 'certain'>;

/**
 * Reads `closed_logs` of a saved response to `GET /api/v1/transparency/keys`. Other members are ignored, and
 * so are logs of unknown names. @returns an empty array for a list of an earlier version, which has none
 * @throws TrustedKeysError
 */
export function readClosedLogs(document: JsonValue): ClosedLog[] {
  const rows = isJsonObject(document) ? (document.closed_logs ?? []) : [];
  if (!Array.isArray(rows)) throw new TrustedKeysError('closed_logs is not an array');
  return rows.flatMap((row, index) => {
    const path = `closed_logs[${index}]`;
    if (!isJsonObject(row)) throw new TrustedKeysError(`${path} is not a JSON object`);
    const log = LOG_NAMES.find((name) => name === row.log);
    if (log === undefined) return [];
    const { origin, tree_size, root_hash, certain } = row;
    if (typeof origin !== 'string' || !isOriginOf(origin, log))
      throw new TrustedKeysError(`${path}.origin is not the name of a log of ${log}`);
    if (typeof tree_size !== 'number' || !Number.isSafeInteger(tree_size) || tree_size < 0)
      throw new TrustedKeysError(`${path}.tree_size is not a whole number from 0 to 2^53 − 1`);
    if (typeof root_hash !== 'string' || !isHex(root_hash, 32))
      throw new TrustedKeysError(`${path}.root_hash is not 64 lower-case hexadecimal characters`);
    if (typeof certain !== 'boolean') throw new TrustedKeysError(`${path}.certain is not true or false`);
    return [{ log, origin, tree_size, root_hash, certain }];
  });
}
