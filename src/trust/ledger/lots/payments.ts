import type { Transaction } from '../../../platform/store/transaction.ts';
import { changeMaturityIn } from './change.ts';
import { NO_PAYMENT } from './move.ts';
import { insertLotPayment, type LotPaymentRow, lotPaymentOf, lotsUntil, updateMaturity } from './store.ts';

/** Stores who made a payment, and when the credits that it bought mature. */
export async function recordPaymentIn(
  tx: Transaction,
  payment: Omit<LotPaymentRow, 'unnamed'>,
): Promise<void> {
  await insertLotPayment(tx, { ...payment, unnamed: false });
}

/** The most lots that mature at once when a payment is known to be final. They are few: it is new. */
const MOST_LOTS = 1000;

/** Lets the credits of a payment mature at once, because nobody can take it back. */
export async function matureIn(tx: Transaction, paymentSeq: number): Promise<void> {
  const { maturesAt } = await lotPaymentIn(tx, paymentSeq);
  if (maturesAt === NO_PAYMENT.maturesAt) return;
  for (const lot of await lotsUntil(tx, { paymentSeq, maturesAt, limit: MOST_LOTS }))
    await changeMaturityIn(tx, lot, lot.amount, NO_PAYMENT.maturesAt);
  await updateMaturity(tx, { paymentSeq, maturesAt: NO_PAYMENT.maturesAt });
}

/** Returns who made a payment, and when the credits that it bought mature without a dispute. */
export async function lotPaymentIn(tx: Transaction, paymentSeq: number): Promise<LotPaymentRow> {
  const payment = await lotPaymentOf(tx, paymentSeq);
  if (payment === null) throw new Error(`the maturity of payment ${paymentSeq} is not known`);
  return payment;
}
