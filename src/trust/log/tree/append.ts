import { nativePrimitives } from '../../../platform/crypto/crypto.ts';
import type { Transaction } from '../../../platform/store/transaction.ts';
import { leafHash } from '../../../proof/log/merkle.ts';
import { FIRST_LEAF, type LogRow } from '../logs.ts';
import { completesTile, completeTilesIn } from './tree.ts';

const utf8 = new TextEncoder();

/** Returns the hash of the leaf with this entry (RFC 6962 section 2.1). */
export function leafHashOf(entry: string): Uint8Array {
  return leafHash(nativePrimitives, utf8.encode(entry));
}

/**
 * Appends an entry to a log, in the transaction of the action that it records.
 *
 * @param keepIn stores the leaf with this hash in the log's table, and returns its leaf_seq
 * @returns the leaf's index
 */
export async function appendIn(
  tx: Transaction,
  log: LogRow,
  entry: string,
  keepIn: (leafHash: Uint8Array) => Promise<number>,
): Promise<number> {
  const index = (await keepIn(leafHashOf(entry))) - FIRST_LEAF;
  await appendedIn(tx, log, index);
  return index;
}

/** Completes a log after its table has another leaf. One leaf of 256 completes a tile. */
export async function appendedIn(tx: Transaction, log: LogRow, index: number): Promise<void> {
  if (completesTile(index)) await completeTilesIn(tx, log, index);
}
