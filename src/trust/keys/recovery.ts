import type { Transaction } from '../../platform/store/transaction.ts';
import { type KeyEntry, OVERLAP_MS } from '../../proof/log/log-entry.ts';
import { keySql } from './store.ts';

/**
 * Does to the keys table what an entry of the key log says was done, where a restored backup does not have it.
 * @param aheadMs for how long a next key is published first; when it was to sign is not in the log
 * @returns the key's key_seq
 */
export function recoverKeyEventIn(tx: Transaction, entry: KeyEntry, aheadMs: number): number {
  const sql = keySql(tx);
  const { kid, purpose, algorithm, public_key: publicKey, at } = entry;
  const known = sql.all.all().find((key) => key.kid === kid);
  const { keySeq } =
    known ??
    sql.insert.get({ kid, purpose, algorithm, publicKey, status: 'next', validFrom: after(at, aheadMs) });
  if (entry.event === 'activated') sql.activate.run({ keySeq, validFrom: at });
  if (entry.event === 'retired' || entry.event === 'compromised') {
    const overlap = entry.event === 'retired' && purpose === 'log' ? OVERLAP_MS : 0;
    sql.end.run({
      keySeq,
      status: entry.event,
      validUntil: after(at, overlap),
      receiptsTreeSize: entry.receipts_tree_size,
    });
  }
  return keySeq;
}

/** `ms` milliseconds after a time, RFC 3339. */
function after(at: string, ms: number): string {
  return new Date(Date.parse(at) + ms).toISOString();
}
