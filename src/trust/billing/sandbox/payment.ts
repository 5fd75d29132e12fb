import type { Ids } from '../../../platform/ids.ts';
import type { Transaction } from '../../../platform/store/transaction.ts';
import { insertPayment, type PaymentRow, type SessionRow } from './store.ts';

type PaymentIds = Pick<PaymentRow, 'paymentIntentId' | 'chargeId'> & { invoiceId: string };

/** Returns the ids of a new payment. */
export function paymentIds(ids: Ids): PaymentIds {
  return {
    paymentIntentId: ids.newText('pi_sandbox_', 24),
    chargeId: ids.newText('ch_sandbox_', 24),
    invoiceId: ids.newText('in_sandbox_', 24),
  };
}

/** Stores a payment of a session. @param now milliseconds since 1970 */
export async function payIn(
  tx: Transaction,
  { sessionSeq, subscriptionId, usdCents }: SessionRow,
  { invoiceId, ...ids }: PaymentIds,
  now: number,
): Promise<PaymentRow> {
  const row = {
    ...ids,
    sessionSeq,
    invoiceId: subscriptionId === null ? null : invoiceId,
    usdCents,
    refundedCents: 0,
    createdAt: now,
  };
  await insertPayment(tx, row);
  return { ...row, paymentSeq: 0 };
}
