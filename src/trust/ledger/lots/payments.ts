import type { Transaction } from '../../../platform/store/transaction.ts';
import { insertLotPayment, type LotPaymentRow } from './store.ts';

/** Stores who made a payment, and when the credits that it bought mature. */
export async function recordPaymentIn(tx: Transaction, payment: LotPaymentRow): Promise<void> {
  await insertLotPayment(tx, payment);
}
