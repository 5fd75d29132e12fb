import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from '../../platform/failure.ts';
import { syncPath, writeSecretFile } from '../../platform/files/write.ts';
import { bytesToHex } from '../../proof/encoding/hex.ts';
import type { EquivocationError, SignedTree } from './equivocation.ts';
import type { LogKey } from './keys/log-keys.ts';

/**
 * Stores the evidence of an equivocation in a monitor's directory: both notes and a summary.
 * @param at RFC 3339
 * @returns the failure to report
 */
export function storeEquivocation(
  state: string,
  { log, before, after, message }: EquivocationError,
  at: string,
  url: string,
  keys: readonly LogKey[],
): Failure {
  const directory = join(state, `equivocation-${at.replaceAll(':', '-')}`);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const summaryOf = ({ checkpoint }: SignedTree) => ({
    origin: checkpoint.origin,
    tree_size: checkpoint.size,
    root_hash: bytesToHex(checkpoint.root),
  });
  const known = {
    log,
    url,
    seen_at: at,
    reason: message,
    before: summaryOf(before),
    after: summaryOf(after),
    trusted_log_keys: keys,
  };
  writeSecretFile(join(directory, 'checkpoint-before'), before.note);
  writeSecretFile(join(directory, 'checkpoint-after'), after.note);
  writeSecretFile(join(directory, 'known.json'), `${JSON.stringify(known, null, 2)}\n`);
  syncPath(state);
  return new Failure(
    `EQUIVOCATION: ${after.checkpoint.origin} signed two checkpoints that contradict each other: ${message}`,
    `show both notes, which are in ${directory}, to everyone who relies on the log`,
    2,
  );
}
