import type { Snapshot } from '../../platform/store/transaction.ts';
import { readAnyRevocationEntry, readReceiptEntry } from '../../proof/log/log-entry.ts';
import { FIRST_LEAF } from '../log/logs.ts';
import { leafOf } from './log/leaf-store.ts';
import { leafEntry } from './log/leaves.ts';
import { anyReceiptByContentHash, receiptById } from './store.ts';

/** Returns whether a receipt of any operator has an id. */
export async function receiptExistsIn(snapshot: Snapshot, receiptId: string): Promise<boolean> {
  return (await receiptById(snapshot, receiptId)) !== null;
}

/**
 * Returns the id of the receipt of which an entry of the logs of receipts or revocations has a content hash;
 * null if there is none, as for the hash of a pending receipt.
 * @param sizeOf returns how many entries of a log are public
 */
export async function loggedReceiptIn(
  snapshot: Snapshot,
  contentHash: string,
  sizeOf: (name: 'receipts' | 'revocations') => number,
): Promise<string | null> {
  const found = await anyReceiptByContentHash(snapshot, contentHash);
  if (found === null) return null;
  for (const name of ['receipts', 'revocations'] as const) {
    const leaf = await leafOf(snapshot, name, found.receiptSeq);
    if (leaf === null || leaf.leafSeq - FIRST_LEAF >= sizeOf(name)) continue;
    if (loggedHash(leafEntry(name, leaf), name) === contentHash) return found.receiptId;
  }
  return null;
}

function loggedHash(entry: string, name: 'receipts' | 'revocations'): string | null {
  if (name === 'receipts') return readReceiptEntry(entry).content_hash;
  const revocation = readAnyRevocationEntry(entry);
  return 'agent' in revocation ? null : revocation.receipt.content_hash;
}
