import type { Snapshot, Transaction } from '../../../../platform/store/transaction.ts';
import { type KeyEntry, keyEntryText } from '../../../../proof/log/log-entry.ts';
import { FIRST_LEAF, type LogRow } from '../../logs.ts';
import { appendIn } from '../../tree/append.ts';
import {
  addedKeyLeaves,
  endedKeyLeaves,
  insertKeyLeaf,
  type KeyLeafRow,
  keyLeavesBetween,
} from '../store.ts';

export type { KeyLeafRow };

/** Logs an event of a signing key, in the transaction of the event. @returns the leaf's index */
export function appendKeyEntryIn(
  tx: Transaction,
  log: LogRow,
  keySeq: number,
  entry: KeyEntry,
): Promise<number> {
  const text = keyEntryText(entry);
  return appendIn(tx, log, text, (leafHash) =>
    insertKeyLeaf(tx, { keySeq, event: entry.event, leafHash, entry: text }),
  );
}

/** Returns the existing leaves of the key log with index `from` to `to`, exclusive. */
export function keyLeavesOf(snapshot: Snapshot, from: number, to: number): Promise<KeyLeafRow[]> {
  return keyLeavesBetween(snapshot, { from: FIRST_LEAF + from, to: FIRST_LEAF + to });
}

/** Returns the index of the leaf that added each key, by key_seq. */
export async function addedKeyIndexes(snapshot: Snapshot): Promise<ReadonlyMap<number, number>> {
  return indexesOf(await addedKeyLeaves(snapshot));
}

/** Returns the index of the leaf that ended each key last, by key_seq. */
export async function endedKeyIndexes(snapshot: Snapshot): Promise<ReadonlyMap<number, number>> {
  return indexesOf(await endedKeyLeaves(snapshot));
}

function indexesOf(leaves: ReadonlyMap<number, number>): ReadonlyMap<number, number> {
  return new Map([...leaves].map(([keySeq, leafSeq]) => [keySeq, leafSeq - FIRST_LEAF]));
}
