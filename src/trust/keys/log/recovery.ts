import type { Transaction } from '../../../platform/store/transaction.ts';
import { type KeyEntry, OVERLAP_MS } from '../../../proof/log/log-entry.ts';
import { activateKey, allKeys, endKey, insertKeys } from '../store.ts';

/**
 * Does to the keys table what an entry of the key log says was done, where a restored backup does not have it.
 * @param aheadMs for how long a next key is published first; when it was to sign is not in the log
 * @returns the key's key_seq
 */
export async function recoverKeyEventIn(tx: Transaction, entry: KeyEntry, aheadMs: number): Promise<number> {
  const { kid, at, event } = entry;
  const known = (await allKeys(tx)).find((key) => key.kid === kid);
  const keySeq = known?.keySeq ?? (await insertNextIn(tx, entry, aheadMs));
  if (event === 'activated') await activateKey(tx, keySeq, at);
  if (event === 'retired' || event === 'compromised') {
    const overlap = event === 'retired' && entry.purpose === 'log' ? OVERLAP_MS : 0;
    await endKey(tx, keySeq, {
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

/** `ms` milliseconds after a time, RFC 3339. */
function after(at: string, ms: number): string {
  return new Date(Date.parse(at) + ms).toISOString();
}
