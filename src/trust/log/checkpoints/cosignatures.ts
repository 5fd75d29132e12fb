import type { Snapshot, Transaction } from '../../../platform/store/transaction.ts';
import type { LogName } from '../../../proof/log/log-names.ts';
import type { Logs } from '../logs.ts';
import { type CosignatureRow, insertCosignatures, newestCosignatures } from '../store.ts';

/** A verified cosignature line. */
export interface Cosignature {
  /** The name of the key. */
  witness: string;
  keyId: number;
  /** With its newline. */
  line: string;
}

/** Picks the cosignature from its row. */
export function cosignatureOf({ witness, keyId, line }: CosignatureRow): Cosignature {
  return { witness, keyId, line };
}

/**
 * Stores cosignatures of a checkpoint, the first of each key.
 * @param cosignedAt RFC 3339. @returns all cosignatures of the checkpoint, in order of arrival
 */
export async function storeCosignaturesIn(
  tx: Transaction,
  checkpointSeq: number,
  cosignatures: readonly Cosignature[],
  cosignedAt: string,
): Promise<Cosignature[]> {
  return (await insertCosignatures(tx, checkpointSeq, cosignatures, cosignedAt)).map(cosignatureOf);
}

/**
 * A start reads at most this many cosignatures: hours of a log that grows without pause, months of others.
 */
const ROWS_CACHED = 20_000;

/**
 * Reads when each key last cosigned a checkpoint of an open log, among the newest cosignatures.
 * @returns a function from key and log to milliseconds since 1970, or null
 */
export async function lastCosigned(
  snapshot: Snapshot,
  logs: Logs,
): Promise<(key: Pick<Cosignature, 'witness' | 'keyId'>, name: LogName) => number | null> {
  const rows = await newestCosignatures(snapshot, ROWS_CACHED);
  return (key, name) => {
    const { logSeq } = logs[name];
    const isMeant = (row: (typeof rows)[number]): boolean =>
      row.logSeq === logSeq && row.witness === key.witness && row.keyId === key.keyId;
    const newest = rows.find(isMeant);
    return newest === undefined ? null : Date.parse(newest.cosignedAt);
  };
}
