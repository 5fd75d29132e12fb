import type { Snapshot, Transaction } from '../../platform/store/transaction.ts';
import type { LogName } from '../../proof/log/names.ts';
import type { Logs } from './logs.ts';
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
  return cosignaturesOfEach(snapshot, [checkpointSeq])(checkpointSeq);
}

/** The same for several checkpoints, which takes one look at the database. @returns what there is of each */
export function cosignaturesOfEach(
  snapshot: Snapshot,
  checkpointSeqs: readonly number[],
): (checkpointSeq: number) => Cosignature[] {
  const rows = logSql(snapshot).cosignatures.all({ checkpointSeqs: JSON.stringify(checkpointSeqs) });
  const byCheckpoint = Map.groupBy(rows, ({ checkpointSeq }) => checkpointSeq);
  return (checkpointSeq) =>
    (byCheckpoint.get(checkpointSeq) ?? []).map(({ witness, keyId, line }) => ({ witness, keyId, line }));
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

/** A start does not look further back: hours of a log that grows without pause, months of others. */
const REMEMBERED = 20_000;

/**
 * When each key signed a checkpoint of an open log last, of what was kept lately.
 * @returns milliseconds since 1970, or null, by key and log
 */
export function lastCosigned(
  snapshot: Snapshot,
  logs: Logs,
): (key: Pick<Cosignature, 'witness' | 'keyId'>, name: LogName) => number | null {
  const rows = logSql(snapshot).newestCosignatures.all({ rows: REMEMBERED });
  return (key, name) => {
    const { logSeq } = logs[name];
    const isMeant = (row: (typeof rows)[number]): boolean =>
      row.logSeq === logSeq && row.witness === key.witness && row.keyId === key.keyId;
    const newest = rows.find(isMeant);
    return newest === undefined ? null : Date.parse(newest.cosignedAt);
  };
}
