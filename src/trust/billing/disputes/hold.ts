import type { Transaction } from '../../../platform/store/transaction.ts';
import { balancesIn } from '../../ledger/balances.ts';
import { holdLotsIn } from '../../ledger/hold.ts';
import { holdStart } from '../../ledger/lots/maturity.ts';
import { lotPaymentIn, matureIn } from '../../ledger/lots/payments.ts';
import type { BookingContext } from '../booking-context.ts';
import type { PaymentRow } from '../payment-store.ts';
import { deletePendingHold, putPendingHold, putPendingHolds } from '../report-store.ts';
import { heldTiers, type Told } from './amounts.ts';

/**
 * Holds the credits of a payment that are disputed or owed, and releases those that are not any more.
 * Credits that a stablecoin paid mature at once. What one transaction cannot do is noted, and
 * `continueHolds` does it.
 * @param told all about the payment
 */
export async function holdPaymentIn(
  tx: Transaction,
  context: BookingContext,
  payment: PaymentRow,
  told: Told,
): Promise<void> {
  const { refund, reports } = told;
  const { paymentSeq, operatorSeq } = payment;
  if (payment.asset === 'paid' && reports.some(({ kind }) => kind === 'stablecoin'))
    await matureIn(tx, paymentSeq);
  // Only bought credits have lots. A stake is never withdrawn. Most payments have no disputes and no refunds.
  if (payment.asset !== 'paid' || (refund === null && !reports.some(({ heldUntil }) => heldUntil > 0)))
    return;
  const lotPayment = await lotPaymentIn(tx, paymentSeq);
  const debts = await balancesIn(tx, { kind: 'receivable', ownerSeq: operatorSeq });
  const now = context.clock.now();
  let isDone = true;
  for (const asset of ['paid', 'promotional'] as const) {
    const owed = asset === 'paid' ? -(debts.get(asset) ?? 0) : 0;
    const tiers = heldTiers(payment, asset, told, { gone: payment.refundedCents, owed, now });
    const holding = { payment: lotPayment, asset, tiers };
    if (!(await holdLotsIn(tx, context, context.openWithdrawals, holding))) isDone = false;
  }
  if (isDone) await deletePendingHold(tx, paymentSeq);
  else await putPendingHold(tx, { paymentSeq });
}

/**
 * Notes the refunded and lost payments of an operator whose debt has changed: of each, no more is held than
 * the operator owes. `continueHolds` holds and releases.
 */
export async function holdAfterDebtIn(
  tx: Transaction,
  context: BookingContext,
  operatorSeq: number,
): Promise<void> {
  const now = context.clock.now();
  await putPendingHolds(tx, { operatorSeq, now, refundedAfter: holdStart(now) });
}
