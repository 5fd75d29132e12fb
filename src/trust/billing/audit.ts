import { checkedTable } from '../../platform/audit/counts.ts';
import type { Snapshot } from '../../platform/store/transaction.ts';
import type { Problem } from '../../proof/log/problem.ts';
import { documentChecks, entryChecks } from './audit/entry-store.ts';
import {
  type AuditedPayment,
  bookedTooPayments,
  contradictedCheckouts,
  movementChecks,
  otherHolds,
  otherPlans,
  paymentPages,
  reportChecks,
  suspensionsWithoutDebt,
} from './audit/store.ts';
import { bookingOf, refundedPart } from './booking.ts';
import { goneOf } from './disputes/amounts.ts';

/** The tables of billing that fsck audits, against the ledger and the operators. */
export const audited = [
  checkedTable('booked_payment', [paymentProblems]),
  checkedTable('payment_movement', movementChecks),
  checkedTable('payment_report', reportChecks),
  checkedTable('payment_entry', entryChecks),
  checkedTable('payment_document', documentChecks),
  checkedTable('credits of disputed payments', [otherHolds]),
  checkedTable('checkout', [contradictedCheckouts]),
  checkedTable('unbooked_payment', [bookedTooPayments]),
  checkedTable('subscription', [otherPlans]),
  checkedTable('refund_suspension', [suspensionsWithoutDebt]),
];

/** Checks that each payment and each refund is booked with the right amounts, and that none is missing. */
async function paymentProblems(snapshot: Snapshot): Promise<Problem[]> {
  const problems: Problem[] = [];
  let expected = 1;
  for await (const page of paymentPages(snapshot)) {
    for (const payment of page) {
      if (payment.paymentSeq !== expected) {
        const what = `the rows before it are missing: ${expected} to ${payment.paymentSeq - 1}`;
        problems.push({ table: 'booked_payment', row: { payment_seq: payment.paymentSeq }, what });
      }
      expected = payment.paymentSeq + 1;
      problems.push(...problemsOf(payment));
    }
  }
  return problems;
}

function problemsOf(payment: AuditedPayment): Problem[] {
  const { paymentSeq, purpose, usdCents, asset, amount, promotional, refundedCents } = payment;
  const problems: Problem[] = [];
  const report = (what: string, expected: number | string, found: number | string): void => {
    problems.push({
      table: 'booked_payment',
      row: { payment_seq: paymentSeq },
      id: payment.sessionId ?? payment.invoiceId ?? '',
      what,
      expected: String(expected),
      found: String(found),
    });
  };
  if (payment.operators === 0) report(`there is no operator (operator_seq ${payment.operatorSeq})`, 1, 0);
  const booking = bookingOf(payment, asset === 'sandbox' || asset === 'sandbox_cents');
  if (booking?.asset !== asset || booking.amount !== amount || booking.promotional !== promotional) {
    report(
      `it gave something else than was paid for ${purpose}`,
      booking === null ? 'nothing' : `${booking.amount} ${booking.asset}, ${booking.promotional} promotional`,
      `${amount} ${asset}, ${promotional} promotional`,
    );
  }
  if (payment.bookings !== 1) report('the ledger did not book it once', 1, payment.bookings);
  const refunded = goneOf(payment);
  if (refundedCents !== refunded)
    report('refunded_cents is not what was refunded or lost', refunded, refundedCents);
  const part = refundedPart(payment, Math.min(refundedCents, usdCents));
  if (payment.taken !== part.amount)
    report('the ledger took back something else than was refunded', part.amount, payment.taken);
  if (payment.takenPromotional > part.promotional) {
    report(
      'the ledger took back more promotional credits than were refunded',
      part.promotional,
      payment.takenPromotional,
    );
  }
  return problems;
}
