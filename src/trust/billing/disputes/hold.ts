import type { Transaction } from '../../../platform/store/transaction.ts';
import { balancesIn } from '../../ledger/balances.ts';
import { holdLotsIn } from '../../ledger/hold.ts';
import { lotPaymentIn, matureIn } from '../../ledger/lots/payments.ts';
import type { BookingContext } from '../booking-context.ts';
import type { PaymentRow } from '../payment-store.ts';
import {
  deletePendingHold,
  paymentsWithHolds,
  putPendingHold,
  type ReportRow,
  reportsOf,
} from '../report-store.ts';
import { heldTiers } from './amounts.ts';

/**
 * Holds the credits of a payment that are disputed, and releases those that are not any more. Credits that a
 * stablecoin paid mature at once. What one transaction cannot do is noted, and `continueHolds` does it.
 * @param reports all about the payment
 */
export async function holdPaymentIn(
  tx: Transaction,
  context: BookingContext,
  payment: PaymentRow,
  reports: readonly ReportRow[],
): Promise<void> {
  const { paymentSeq, operatorSeq } = payment;
  if (payment.asset === 'paid' && reports.some(({ kind }) => kind === 'stablecoin'))
    await matureIn(tx, paymentSeq);
  // Only bought credits have lots. A stake is never withdrawn, and a payment without disputes holds nothing.
  if (payment.asset !== 'paid' || !reports.some(({ heldUntil }) => heldUntil > 0)) return;
  const lotPayment = await lotPaymentIn(tx, paymentSeq);
  const debts = await balancesIn(tx, { kind: 'receivable', ownerSeq: operatorSeq });
  const now = context.clock.now();
  let isDone = true;
  for (const asset of ['paid', 'promotional'] as const) {
    const owed = asset === 'paid' ? -(debts.get(asset) ?? 0) : 0;
    const tiers = heldTiers(payment, asset, reports, { gone: payment.refundedCents, owed, now });
    const holding = { payment: lotPayment, asset, tiers };
    if (!(await holdLotsIn(tx, context, context.openWithdrawals, holding))) isDone = false;
  }
  if (isDone) await deletePendingHold(tx, paymentSeq);
  else await putPendingHold(tx, { paymentSeq });
}

/** Holds no more than an operator still owes, after a payment covered a part of its debt. */
export async function holdAfterCoverIn(
  tx: Transaction,
  context: BookingContext,
  operatorSeq: number,
): Promise<void> {
  for (const { payment } of await paymentsWithHolds(tx, { operatorSeq, now: context.clock.now() })) {
    if (payment.paymentIntent !== null)
      await holdPaymentIn(tx, context, payment, await reportsOf(tx, payment.paymentIntent));
  }
}
