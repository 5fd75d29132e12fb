import type { Transaction } from '../../../../platform/store/transaction.ts';
import { timestampOf } from '../../../../platform/time/timestamp.ts';
import { overlapOf } from '../../../../proof/log/key-purposes.ts';
import type { KeyEntry } from '../../../../proof/log/log-entry.ts';
import { activateKey, allKeys, endKey, insertKeys } from '../store.ts';

/**
 * Repeats an entry of the key log in the table of keys, if a restored backup lacks it.
 * @param aheadMs how long a next key is published before it signs; the log does not have that time
 * @returns the key_seq of the key
 */
export async function recoverKeyEventIn(tx: Transaction, entry: KeyEntry, aheadMs: number): Promise<number> {
  const { kid, at, event } = entry;
  const known = (await allKeys(tx)).find((key) => key.kid === kid);
  const keySeq = known?.keySeq ?? (await insertNextIn(tx, entry, aheadMs));
  if (event === 'activated') await activateKey(tx, { keySeq, validFrom: at });
  if (event === 'retired' || event === 'compromised') {
    const overlap = event === 'retired' ? overlapOf(entry.purpose) : 0;
    await endKey(tx, {
      keySeq,
      status: event,
      validUntil: after(at, overlap),
      receiptsTreeSize: entry.receipts_tree_size,
    });
  }
  return keySeq;
}

async function insertNextIn(
  tx: Transaction,
  { kid, purpose, algorithm, public_key: publicKey, at }: KeyEntry,
  aheadMs: number,
): Promise<number> {
  const validFrom = after(at, aheadMs);
  const [row] = await insertKeys(tx, [{ kid, purpose, algorithm, publicKey, status: 'next', validFrom }]);
  if (row === undefined) throw new Error(`the key ${kid} was not stored`);
  return row.keySeq;
}

/** Returns the time (RFC 3339) `ms` milliseconds after another. */
function after(at: string, ms: number): string {
  return timestampOf(Date.parse(at) + ms);
}
