import type { Transaction } from '../../platform/store/transaction.ts';
import { type Account, type Asset, ISSUANCE, poolOf, receivableOf, stakeOf } from '../ledger/accounts.ts';
import { balancesIn } from '../ledger/balances.ts';
import { bindRestIn, type Gathered, gatherAllIn, unbindIn, unnameIn } from '../ledger/gather.ts';
import { hasLots } from '../ledger/lots/move.ts';
import { lotPaymentIn } from '../ledger/lots/payments.ts';
import { postIn } from '../ledger/post.ts';
import { setStatusIn } from '../operators/account-state.ts';
import { type OperatorRow, operatorBySeq } from '../operators/status.ts';
import { refundedPart } from './booking.ts';
import type { BookingContext } from './booking-context.ts';
import { goneCents, type Told } from './disputes/amounts.ts';
import { holdAfterDebtIn, holdPaymentIn } from './disputes/hold.ts';
import {
  insertPaymentMovement,
  insertSuspension,
  isSuspendedByRefund,
  type PaymentRow,
  takenPromotional,
  updateRefunded,
} from './payment-store.ts';
import { isTold } from './report-store.ts';
import { toldIn } from './told.ts';

/** The assets in which an operator can have debts. */
const OWED: readonly Asset[] = ['paid', 'cents', 'sandbox', 'sandbox_cents'];

/**
 * Books what the payer has back of a payment: refunds, and lost disputes. It depends only on what the
 * processor reported so far, so the order and the number of events do not matter. Then it holds what is
 * disputed or owed.
 * @returns what the payer has back now, in US cents, and all that the processor told; null before it told any
 */
export async function settlePaymentIn(
  tx: Transaction,
  context: BookingContext,
  payment: PaymentRow,
  operator: OperatorRow,
): Promise<{ gone: number; told: Told } | null> {
  const { paymentIntent, usdCents, refundedCents } = payment;
  if (paymentIntent === null) return null;
  if ((await isTold(tx, paymentIntent)) === null) return null;
  const told = await toldIn(tx, paymentIntent);
  const reference = told.refund?.chargeId ?? told.reports[0]?.chargeId;
  if (reference === undefined) return null;
  const gone = goneCents(usdCents, told);
  const settled = { ...payment, refundedCents: gone };
  if (gone !== refundedCents)
    await updateRefunded(tx, { paymentSeq: payment.paymentSeq, refundedCents: gone });
  if (gone > refundedCents) await takeIn(tx, context, payment, settled, operator, reference);
  if (gone < refundedCents) await giveBackIn(tx, context, payment, settled, operator, reference);
  await holdPaymentIn(tx, context, settled, told);
  return { gone, told };
}

/**
 * Takes the refunded part of a payment from the pool or the stake, and from the agents of the operator what
 * they still have of the payment, queued withdrawals included. A part that was spent becomes a debt and
 * suspends the operator. Promotional credits that were spent are written off.
 */
async function takeIn(
  tx: Transaction,
  context: BookingContext,
  payment: PaymentRow,
  { refundedCents }: PaymentRow,
  operator: OperatorRow,
  reference: string,
): Promise<void> {
  const [before, after] = [
    refundedPart(payment, payment.refundedCents),
    refundedPart(payment, refundedCents),
  ];
  const { asset, paymentSeq } = payment;
  const account = accountOf(payment, operator);
  const amount = after.amount - before.amount;
  const taken = await collectIn(tx, context, { paymentSeq, pool: account, asset, amount });
  const promised = Math.max(0, after.promotional - before.promotional);
  const promotional = await collectIn(tx, context, {
    paymentSeq,
    pool: account,
    asset: 'promotional',
    amount: promised,
  });
  await bindRestIn(tx, {
    paymentSeq,
    pool: account,
    amount: promised - promotional,
    now: context.clock.now(),
  });
  const adjustment = { kind: 'ADJUSTMENT', reference } as const;
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
  await holdAfterDebtIn(tx, context, operator.operatorSeq);
}

/**
 * Gives back what a refund that failed or a dispute that was won had taken: to the pool or the stake, which
 * then covers what is owed. Promotional credits that were written off are not made again.
 */
async function giveBackIn(
  tx: Transaction,
  context: BookingContext,
  payment: PaymentRow,
  { refundedCents }: PaymentRow,
  operator: OperatorRow,
  reference: string,
): Promise<void> {
  const { asset, paymentSeq } = payment;
  const after = refundedPart(payment, refundedCents);
  const amount = refundedPart(payment, payment.refundedCents).amount - after.amount;
  const promotional = Math.max(
    0,
    ((await takenPromotional(tx, paymentSeq))?.promotional ?? 0) - after.promotional,
  );
  if (amount + promotional > 0) {
    const account = accountOf(payment, operator);
    const { maturesAt } = await lotPaymentIn(tx, paymentSeq);
    const { transactionId } = await postIn(tx, context, {
      kind: 'ADJUSTMENT',
      from: ISSUANCE,
      to: account,
      portions: { [asset]: amount, promotional },
      reference,
      lot: { paymentSeq, maturesAt },
    });
    await insertPaymentMovement(tx, { transactionId, paymentSeq, role: 'reversal', amount, promotional });
    // What others got of the payment keeps its name, so what comes back must not have it, too.
    if (asset === 'paid') await unnameIn(tx, { paymentSeq, account, asset, most: payment.amount });
    if (payment.promotional > 0)
      await unnameIn(tx, { paymentSeq, account, asset: 'promotional', most: payment.promotional });
  }
  await unbindIn(tx, paymentSeq);
  const missing = after.promotional - ((await takenPromotional(tx, paymentSeq))?.promotional ?? 0);
  const rest = { paymentSeq, pool: accountOf(payment, operator), amount: Math.max(0, missing) };
  await bindRestIn(tx, { ...rest, now: context.clock.now() });
  await coverDebtsIn(tx, context, payment, operator);
}

/** The reference of movements that return credits to the pool for a refund. */
const REFUNDED = 'payment_refunded';

/**
 * Brings credits into the pool that a refund takes, from the agents of the operator that have them from this
 * payment.
 * @returns how many of them the pool has then @throws NeedsGathering
 */
async function collectIn(tx: Transaction, context: BookingContext, credits: Gathered): Promise<number> {
  const { pool, asset, amount } = credits;
  const there = Math.min(amount, (await balancesIn(tx, pool)).get(asset) ?? 0);
  if (there === amount || !hasLots(pool, asset)) return there;
  const missing = { ...credits, amount: amount - there };
  return there + (await gatherAllIn(tx, context, context.openWithdrawals, missing, REFUNDED));
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
  // Most payments are of operators that owe nothing and never did.
  if (operator.accountStatus === 'ACTIVE' && OWED.every((name) => (debts.get(name) ?? 0) === 0)) return;
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
    await holdAfterDebtIn(tx, context, operator.operatorSeq);
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
