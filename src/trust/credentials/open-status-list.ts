import type { Transaction } from '../../platform/store/transaction.ts';
import { LIST_ENTRIES } from '../../proof/credential/bitstring.ts';
import { insertList, newestListOf } from './status-store.ts';

/** At most half of the entries of a list are used. */
const MOST_ISSUED = LIST_ENTRIES / 2;

/**
 * Returns the number of a list of a key that has room, and opens one if none has.
 * @param validUntil RFC 3339
 */
export async function openListIn(tx: Transaction, keySeq: number, validUntil: string): Promise<number> {
  const newest = await newestListOf(tx, keySeq);
  if (newest !== null && newest.issued < MOST_ISSUED) return newest.listSeq;
  return (await insertList(tx, { keySeq, validUntil })).listSeq;
}
