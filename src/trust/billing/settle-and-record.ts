import type { Transaction } from '../../platform/store/transaction.ts';
import type { OperatorRow } from '../operators/status.ts';
import type { BookingContext } from './booking-context.ts';
import { goneCents } from './disputes/amounts.ts';
import { insertReturn, returnsOf } from './entries/return-store.ts';
import type { PaymentRow } from './payment-store.ts';
import { settlePaymentIn } from './refunds.ts';

/**
 * Books what the payer has back of a payment, as `settlePaymentIn`, and records what changed as entries of
 * the operator: refunds, and chargebacks of lost disputes. One that came back is below zero.
 */
export async function settleAndRecordIn(
  tx: Transaction,
  context: BookingContext,
  payment: PaymentRow,
  operator: OperatorRow,
): Promise<void> {
  const settled = await settlePaymentIn(tx, context, payment, operator);
  if (settled === null || settled.gone === payment.refundedCents) return;
  const { paymentSeq, usdCents } = payment;
  const { gone, told } = settled;
  // What the payer has back without its disputes. Together they are at most what was paid.
  const reports = told.reports.filter(({ kind }) => kind === 'refund');
  const refunds = goneCents(usdCents, { ...told, reports });
  const before = await returnsOf(tx, paymentSeq);
  let centsAfter = payment.refundedCents;
  for (const [kind, cents] of [
    ['refund', refunds - (before?.refunds ?? 0)],
    ['chargeback', gone - refunds - (before?.chargebacks ?? 0)],
  ] as const) {
    if (cents === 0) continue;
    centsAfter += cents;
    await insertReturn(tx, {
      operatorSeq: operator.operatorSeq,
      kind,
      status: cents > 0 ? 'made' : 'reversed',
      createdAt: context.clock.now(),
      paymentSeq,
      cents,
      centsAfter,
    });
  }
}
