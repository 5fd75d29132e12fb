import type { Transaction } from '../../../platform/store/transaction.ts';
import { addToLot, type LotRow, removeLot, takeFromLot } from './store.ts';

/**
 * Changes when credits of a lot mature, and which payment they belong to.
 * @param lot as read in this transaction @param amount of its credits, at least 1
 * @param maturesAt milliseconds since 1970
 */
export async function changeMaturityIn(
  tx: Transaction,
  lot: LotRow,
  amount: number,
  maturesAt: number,
  paymentSeq = lot.paymentSeq,
): Promise<void> {
  if (lot.maturesAt === maturesAt && lot.paymentSeq === paymentSeq) return;
  if (amount === lot.amount) await removeLot(tx, lot);
  else await takeFromLot(tx, { ...lot, taken: amount });
  await addToLot(tx, { ...lot, maturesAt, paymentSeq, amount });
}
