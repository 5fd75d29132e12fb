import type { Snapshot, Transaction } from '../../../platform/store/transaction.ts';
import type { LogName } from '../../../proof/log/log-names.ts';
import type { Logs } from '../logs.ts';
import { type CosignatureRow, insertCosignatures, newestCosignatures } from '../store.ts';

/** A line by a witness that was verified. */
export interface Cosignature {
  /** The name of the key. */
  witness: string;
  keyId: number;
  /** Its newline included. */
  line: string;
}

/** What a row says of a cosignature. */
export function cosignatureOf({ witness, keyId, line }: CosignatureRow): Cosignature {
  return { witness, keyId, line };
}

/**
 * Keeps what witnesses have signed of a checkpoint; of each key the first.
 * @param cosignedAt RFC 3339. @returns all that witnesses have signed of it, in the order in which it came
 */
export async function storeCosignaturesIn(
  tx: Transaction,
  checkpointSeq: number,
  cosignatures: readonly Cosignature[],
  cosignedAt: string,
): Promise<Cosignature[]> {
  return (await insertCosignatures(tx, checkpointSeq, cosignatures, cosignedAt)).map(cosignatureOf);
}

/** A start does not look further back: hours of a log that grows without pause, months of others. */
const REMEMBERED = 20_000;

/**
 * When each key signed a checkpoint of an open log last, of what was kept lately.
 * @returns milliseconds since 1970, or null, by key and log
 */
export async function lastCosigned(
  snapshot: Snapshot,
  logs: Logs,
): Promise<(key: Pick<Cosignature, 'witness' | 'keyId'>, name: LogName) => number | null> {
  const rows = await newestCosignatures(snapshot, REMEMBERED);
  return (key, name) => {
    const { logSeq } = logs[name];
    const isMeant = (row: (typeof rows)[number]): boolean =>
      row.logSeq === logSeq && row.witness === key.witness && row.keyId === key.keyId;
    const newest = rows.find(isMeant);
    return newest === undefined ? null : Date.parse(newest.cosignedAt);
  };
}
