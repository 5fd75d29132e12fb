import type { Ids } from '../../platform/ids.ts';
import type { Transaction } from '../../platform/store/transaction.ts';
import type { Clock } from '../../platform/time/clock.ts';
import { type Account, type Asset, ISSUANCE, poolOf, receivableOf, stakeOf } from '../ledger/accounts.ts';
import { balancesIn } from '../ledger/balances.ts';
import type { CreditsPolicy } from '../ledger/credits/settings.ts';
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
  policy: OperatorsPolicy & CreditsPolicy;
  principals: Principals;
};

/** The assets in which an operator can have debts. */
const OWED: readonly Asset[] = ['paid', 'cents', 'sandbox', 'sandbox_cents'];

/**
 * Books the refunds of a payment that are not booked yet. It takes the refunded part from the pool or the
 * stake. A part that was spent becomes a debt and suspends the operator. Promotional credits are taken only
 * if the pool still has them.
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
  const balances = await balancesIn(tx, account);
  const amount = after.amount - before.amount;
  const taken = Math.min(amount, balances.get(asset) ?? 0);
  const promotional = Math.min(after.promotional - before.promotional, balances.get('promotional') ?? 0);
  const adjustment = { kind: 'ADJUSTMENT', reference: refund.chargeId } as const;
  if (taken + promotional > 0) {
    const portions = { [asset]: taken, promotional };
    const { transactionId } = await postIn(tx, context, {
      ...adjustment,
      from: account,
      to: ISSUANCE,
      portions,
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
