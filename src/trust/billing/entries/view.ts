import { timestampOf } from '../../../platform/time/timestamp.ts';
import { refundedPart } from '../booking.ts';
import type { PaymentRow } from '../payment-store.ts';
import type { EntryState } from './store.ts';

/** Amounts of an entry: US cents that were paid, and what they gave. */
interface Amounts {
  amount: number | null;
  credits: number;
  promotional_credits: number;
  stake_cents: number;
}

const NOTHING: Amounts = { amount: null, credits: 0, promotional_credits: 0, stake_cents: 0 };

/** Returns an entry of an operator's payments as the API shows it. @param now milliseconds since 1970 */
export function entryView(state: EntryState, now: number) {
  const { entry, payment, settlement, charge } = state;
  return {
    created_at: time(entry.createdAt),
    kind: entry.kind,
    status: entry.status,
    ...amountsOf(state),
    currency: payment === null ? null : 'usd',
    reference: referenceOf(state),
    invoice_id: payment?.invoiceId ?? null,
    payment_intent: payment?.paymentIntent ?? null,
    charge_id: charge?.chargeId ?? state.toldCharge,
    transaction_id: entry.transactionId ?? settlement?.transactionId ?? ownTransaction(state),
    subject_commitment: state.subjectCommitment,
    held_until: heldUntil(state, now),
    invoice_url: state.invoiceUrl,
    invoice_pdf: state.invoicePdf,
    receipt_url: charge?.receiptUrl ?? null,
    sandbox: payment?.asset === 'sandbox' || payment?.asset === 'sandbox_cents',
  };
}

export type EntryView = ReturnType<typeof entryView>;

/** Returns the id that the entry is known by: of its session or invoice, its dispute, or its settlement. */
function referenceOf({ payment, report, settlement }: EntryState): string {
  if (report !== null) return report.reportId;
  if (settlement !== null) return `${settlement.rail}:${settlement.reference}`;
  return payment?.sessionId ?? payment?.invoiceId ?? '';
}

function ownTransaction({ entry, payment }: EntryState): string | null {
  return entry.kind === 'topup' || entry.kind === 'subscription' ? (payment?.transactionId ?? null) : null;
}

function amountsOf({ entry, payment, report, owed, settlement }: EntryState): Amounts {
  if (settlement !== null) return { ...NOTHING, credits: settlement.credits };
  if (payment === null) return NOTHING;
  switch (entry.kind) {
    case 'topup':
    case 'subscription':
      return { ...given(payment, payment.amount, payment.promotional), amount: payment.usdCents };
    case 'refund':
    case 'chargeback': {
      const [cents, after] = [entry.cents ?? 0, entry.centsAfter ?? 0];
      const gone = (sum: number) => refundedPart(payment, Math.min(payment.usdCents, sum)).amount;
      return { ...given(payment, gone(after - cents) - gone(after), 0), amount: -cents };
    }
    case 'debt':
    case 'debt_payment':
      return given(payment, owed ?? 0, 0);
    default:
      return { ...NOTHING, amount: report?.cents ?? payment.usdCents };
  }
}

/** Returns an amount of the asset of a payment, and promotional credits. */
function given({ purpose }: PaymentRow, amount: number, promotional_credits: number): Amounts {
  return purpose === 'stake'
    ? { ...NOTHING, stake_cents: amount }
    : { ...NOTHING, credits: amount, promotional_credits };
}

/** Until when credits of the payment are held: since it was paid by card, or since it is disputed. */
function heldUntil(state: EntryState, now: number): string | null {
  const { entry, report, payment, maturesAt, isDecided } = state;
  if (report !== null)
    return report.status === 'open' && !isDecided && report.heldUntil > now ? time(report.heldUntil) : null;
  const isPaid = (entry.kind === 'topup' || entry.kind === 'subscription') && entry.status !== 'refunded';
  return isPaid && payment?.asset === 'paid' && maturesAt !== null && maturesAt > now
    ? time(maturesAt)
    : null;
}

const time = (ms: number): string => timestampOf(ms);
