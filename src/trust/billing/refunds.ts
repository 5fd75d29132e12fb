import type { Ids } from '../../platform/ids.ts';
import type { Transaction } from '../../platform/store/transaction.ts';
import type { Clock } from '../../platform/time/clock.ts';
import { type Account, type Asset, ISSUANCE, poolOf, receivableOf, stakeOf } from '../ledger/accounts.ts';
import { balancesIn } from '../ledger/balances.ts';
import type { CreditsPolicy } from '../ledger/credits/settings.ts';
import { bindLockedIn, gatherIn } from '../ledger/gather.ts';
import { hasLots } from '../ledger/lots/move.ts';
import type { HoldsPolicy } from '../ledger/lots/settings.ts';
import { postIn } from '../ledger/post.ts';
import { setStatusIn } from '../operators/account-state.ts';
import type { Principals } from '../operators/auth/authenticate.ts';
import type { OperatorsPolicy } from '../operators/settings.ts';
import { type OperatorRow, operatorBySeq } from '../operators/status.ts';
import { refundedPart } from './booking.ts';
import {
  insertPaymentMovement,
  insertSuspension,
  isSuspendedByRefund,
  type PaymentRow,
  refundOf,
  updateRefunded,
} from './payment-store.ts';

/** The parts of the service that booking uses. */
export type BookingContext = {
  clock: Clock;
  ids: Ids;
  policy: OperatorsPolicy & CreditsPolicy & HoldsPolicy;
  principals: Principals;
};

/** The assets in which an operator can have debts. */
const OWED: readonly Asset[] = ['paid', 'cents', 'sandbox', 'sandbox_cents'];

/**
 * Books the refunds of a payment that are not booked yet. It takes the refunded part from the pool or the
 * stake, and from the agents of the operator what they still have of the payment. A part that was spent
 * becomes a debt and suspends the operator. Promotional credits that were spent are written off.
 */
export async function settleRefundIn(
  tx: Transaction,
  context: BookingContext,
  payment: PaymentRow,
  operator: OperatorRow,
): Promise<void> {
  if (payment.paymentIntent === null) return;
  const refund = await refundOf(tx, payment.paymentIntent);
  const refundedCents = Math.min(refund?.cents ?? 0, payment.usdCents);
  if (refund === null || refundedCents <= payment.refundedCents) return;
  const [before, after] = [
    refundedPart(payment, payment.refundedCents),
    refundedPart(payment, refundedCents),
  ];
  await updateRefunded(tx, { paymentSeq: payment.paymentSeq, refundedCents });
  const { asset, paymentSeq } = payment;
  const account = accountOf(payment, operator);
  const amount = after.amount - before.amount;
  const taken = await collectIn(tx, context, { paymentSeq, pool: account, asset, amount });
  const promised = after.promotional - before.promotional;
  const promotional = await collectIn(tx, context, {
    paymentSeq,
    pool: account,
    asset: 'promotional',
    amount: promised,
  });
  await bindLockedIn(tx, paymentSeq, promised - promotional);
  const adjustment = { kind: 'ADJUSTMENT', reference: refund.chargeId } as const;
  if (taken + promotional > 0) {
    const portions = { [asset]: taken, promotional };
    const { transactionId } = await postIn(tx, context, {
      ...adjustment,
      from: account,
      to: ISSUANCE,
      portions,
      ofPayment: paymentSeq,
    });
    await insertPaymentMovement(tx, {
      transactionId,
      paymentSeq,
      role: 'refund',
      amount: taken,
      promotional,
    });
  }
  const owed = amount - taken;
  if (owed === 0) return;
  const { transactionId } = await postIn(tx, context, {
    ...adjustment,
    from: receivableOf(operator),
    to: ISSUANCE,
    portions: { [asset]: owed },
  });
  await insertPaymentMovement(tx, { transactionId, paymentSeq, role: 'debt', amount: owed, promotional: 0 });
  await suspendIn(tx, context, operator.operatorSeq);
}

/** The reference of movements that return credits to the pool for a refund. */
const REFUNDED = 'payment_refunded';

/**
 * Brings credits into the pool that a refund takes, from the agents of the operator that have them from this
 * payment. @returns how many of them the pool has then
 */
async function collectIn(
  tx: Transaction,
  context: BookingContext,
  credits: Parameters<typeof gatherIn>[2],
): Promise<number> {
  const { pool, asset, amount } = credits;
  const there = Math.min(amount, (await balancesIn(tx, pool)).get(asset) ?? 0);
  if (there === amount || !hasLots(pool, asset)) return there;
  const missing = { ...credits, amount: amount - there };
  return there + (await gatherIn(tx, context, missing, REFUNDED, ({ isOwn }) => isOwn));
}

/**
 * Covers the debt of an operator in the asset of a payment from the pool or the stake. An operator that a
 * refund suspended is active again when it has no debts.
 */
export async function coverDebtsIn(
  tx: Transaction,
  context: BookingContext,
  payment: PaymentRow,
  operator: OperatorRow,
): Promise<void> {
  const { asset, paymentSeq } = payment;
  const receivable = receivableOf(operator);
  const debts = await balancesIn(tx, receivable);
  const debt = -(debts.get(asset) ?? 0);
  const account = accountOf(payment, operator);
  const amount = debt > 0 ? Math.min(debt, (await balancesIn(tx, account)).get(asset) ?? 0) : 0;
  if (amount > 0) {
    const { transactionId } = await postIn(tx, context, {
      kind: 'ADJUSTMENT',
      from: account,
      to: receivable,
      portions: { [asset]: amount },
      reference: payment.sessionId ?? payment.invoiceId,
    });
    await insertPaymentMovement(tx, { transactionId, paymentSeq, role: 'cover', amount, promotional: 0 });
  }
  const isOwing = OWED.some((name) => -(debts.get(name) ?? 0) > (name === asset ? amount : 0));
  if (!isOwing) await liftSuspensionIn(tx, context, operator.operatorSeq);
}

/** A suspension or a closure by an administrator stays as it is, and no payment lifts it. */
async function suspendIn(tx: Transaction, context: BookingContext, operatorSeq: number): Promise<void> {
  if ((await operatorBySeq(tx, operatorSeq))?.accountStatus !== 'ACTIVE') return;
  await setStatusIn(tx, context, operatorSeq, 'SUSPENDED');
  await insertSuspension(tx, { operatorSeq, createdAt: context.clock.now() });
}

async function liftSuspensionIn(
  tx: Transaction,
  context: BookingContext,
  operatorSeq: number,
): Promise<void> {
  if (await isSuspendedByRefund(tx, operatorSeq)) await setStatusIn(tx, context, operatorSeq, 'ACTIVE');
}

function accountOf({ purpose }: PaymentRow, operator: OperatorRow): Account {
  return purpose === 'stake' ? stakeOf(operator) : poolOf(operator);
}
