import type { Transaction } from '../../platform/store/transaction.ts';
import type { OperatorRow } from '../operators/status.ts';
import type { BookingContext } from './booking-context.ts';
import { goneCents } from './disputes/amounts.ts';
import { insertReturn, returnsOf } from './entries/return-store.ts';
import { type PaymentRow, paymentBySeq, refundOf } from './payment-store.ts';
import { settlePaymentIn } from './refunds.ts';
import { reportsOf } from './report-store.ts';

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
  await settlePaymentIn(tx, context, payment, operator);
  const { paymentSeq, paymentIntent, usdCents } = payment;
  const refundedCents = (await paymentBySeq(tx, paymentSeq))?.refundedCents ?? 0;
  if (paymentIntent === null || refundedCents === payment.refundedCents) return;
  const refund = await refundOf(tx, paymentIntent);
  const refundReports = (await reportsOf(tx, paymentIntent)).filter(({ kind }) => kind === 'refund');
  // What the payer has back without its disputes. Together they are at most what was paid.
  const refunds = goneCents(usdCents, refund?.cents ?? 0, refundReports);
  const before = await returnsOf(tx, paymentSeq);
  let centsAfter = payment.refundedCents;
  for (const [kind, cents] of [
    ['refund', refunds - (before?.refunds ?? 0)],
    ['chargeback', refundedCents - refunds - (before?.chargebacks ?? 0)],
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
