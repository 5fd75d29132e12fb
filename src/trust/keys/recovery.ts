import type { Transaction } from '../../platform/store/transaction.ts';
import type { KeyEntry } from '../../proof/log-entry.ts';
import { OVERLAP_MS } from './rotation.ts';
import { keySql } from './store.ts';

/**
 * Does to the keys table what an entry of the key log says was done, where a restored backup does not have it.
 * @returns the key's key_seq
 */
export function recoverKeyEventIn(tx: Transaction, entry: KeyEntry): number {
  const sql = keySql(tx);
  const { kid, purpose, algorithm, public_key: publicKey, at } = entry;
  const known = sql.all.all().find((key) => key.kid === kid);
  const { keySeq } =
    known ?? sql.insert.get({ kid, purpose, algorithm, publicKey, status: 'next', validFrom: at });
  if (entry.event === 'activated') sql.activate.run({ keySeq });
  if (entry.event === 'retired' || entry.event === 'compromised') {
    const overlap = entry.event === 'retired' && purpose === 'log' ? OVERLAP_MS : 0;
    sql.end.run({
      keySeq,
      status: entry.event,
      validUntil: new Date(Date.parse(at) + overlap).toISOString(),
      receiptsTreeSize: entry.receipts_tree_size,
    });
  }
  return keySeq;
}
