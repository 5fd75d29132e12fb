import type { Snapshot, Transaction } from '../../platform/store/transaction.ts';
import type { LogName, Logs } from './logs.ts';
import { logSql } from './store.ts';

/** A line by a witness that was verified. */
export interface Cosignature {
  /** The name of the key. */
  witness: string;
  keyId: number;
  /** Its newline included. */
  line: string;
}

/** What witnesses have signed of a checkpoint, in the order in which it came. */
export function cosignaturesOf(snapshot: Snapshot, checkpointSeq: number): Cosignature[] {
  return logSql(snapshot).cosignatures.all({ checkpointSeq });
}

/** Keeps what a witness has signed of a checkpoint; of each key the first. @param cosignedAt RFC 3339 */
export function keepCosignaturesIn(
  tx: Transaction,
  checkpointSeq: number,
  cosignatures: readonly Cosignature[],
  cosignedAt: string,
): void {
  for (const cosignature of cosignatures) {
    logSql(tx).insertCosignature.run({ checkpointSeq, ...cosignature, cosignedAt });
  }
}

/** A start does not look further back. */
const REMEMBERED = 1000;

/** When each key signed a checkpoint of an open log last, milliseconds since 1970; of what was kept lately. */
export function lastCosigned(
  snapshot: Snapshot,
  logs: Logs,
  key: Pick<Cosignature, 'witness' | 'keyId'>,
  name: LogName,
): number | null {
  const row = logSql(snapshot)
    .newestCosignatures.all({ rows: REMEMBERED })
    .find(
      ({ logSeq, witness, keyId }) =>
        logSeq === logs[name].logSeq && witness === key.witness && keyId === key.keyId,
    );
  return row === undefined ? null : Date.parse(row.cosignedAt);
}
