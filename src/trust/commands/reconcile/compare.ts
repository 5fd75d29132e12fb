import type { Static } from '@sinclair/typebox';
import { timestampOf } from '../../../platform/time/timestamp.ts';
import type { CompareResponse, FindResponse } from '../../billing/entries/compare.ts';
import type { ReportRow } from './report-rows.ts';
import { Tallies, type Tally } from './tallies.ts';

/** The books of a service. */
export interface Books {
  /** Finds up to `most` payments. */
  find(
    payments: readonly {
      payment_intent: string | null;
      invoice_id: string | null;
      charge_id: string | null;
    }[],
  ): Promise<Static<typeof FindResponse>>;
  /** Returns the next payments after a number. Times are milliseconds since 1970. */
  compare(request: { from: number; to: number; after: number }): Promise<Static<typeof CompareResponse>>;
  most: number;
  /** How long after an event it usually is booked, in milliseconds. */
  usuallyMs: number;
}

/** Something that a file and the books say differently. */
export interface Difference {
  difference: 'not_in_books' | 'not_in_file' | 'amount' | 'currency' | 'refunds' | 'disputes';
  /** The line of the file; null for what follows from several ones, or from none. */
  line: number | null;
  category: string;
  payment_intent: string | null;
  charge_id: string | null;
  /** The payment in the books. */
  reference: string | null;
  operator_id: string | null;
  /** In hundredths of the currency; null where there is none. */
  file_cents: number | null;
  books_cents: number | null;
  currency: string;
  at: string | null;
  /** Why the books do not have it, if they know it. */
  unbooked: string | null;
}

/** What a file and the books have in common, and what only the file has. */
export interface Summary {
  rows: number;
  /** The payments of the books that the file names, or that are of its period. */
  payments: number;
  differences: number;
  from: string | null;
  to: string | null;
  /** Fees by currency, in hundredths. They are not booked. */
  fees: Record<string, number>;
  /** The rows of other categories, such as payouts, which are not compared. */
  others: Record<string, number>;
}

/** What the categories of rows add to. A dispute that is won and a refund that fails come back. */
const COMPARED: Readonly<Record<string, 'charged' | 'refunded' | 'disputed'>> = {
  charge: 'charged',
  charge_failure: 'charged',
  partial_capture_reversal: 'charged',
  refund: 'refunded',
  refund_failure: 'refunded',
  dispute: 'disputed',
  dispute_reversal: 'disputed',
};

/**
 * Compares the rows of a report with the books. Its period is that of its compared rows, unless `period` says
 * another one.
 * @param emit is called with each difference, in the order in which they are found
 */
export async function compareWithBooks(
  rows: AsyncIterable<ReportRow>,
  books: Books,
  period: { from: number | null; to: number | null },
  emit: (difference: Difference) => Promise<void>,
): Promise<Summary> {
  const summary: Summary = {
    rows: 0,
    payments: 0,
    differences: 0,
    from: null,
    to: null,
    fees: {},
    others: {},
  };
  const report = async (difference: Difference): Promise<void> => {
    summary.differences += 1;
    await emit(difference);
  };
  const tallies = new Tallies();
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  let waiting: ReportRow[] = [];
  const flush = async (): Promise<void> => {
    await tally(waiting, books, tallies, report);
    waiting = [];
  };
  for await (const row of rows) {
    summary.rows += 1;
    if (row.feeCents !== 0)
      summary.fees[row.feeCurrency] = (summary.fees[row.feeCurrency] ?? 0) + row.feeCents;
    if (COMPARED[row.category] === undefined) {
      // A fee of its own is a row whose amount is the fee.
      if (row.category === 'fee') summary.fees[row.currency] = (summary.fees[row.currency] ?? 0) - row.cents;
      else summary.others[row.category] = (summary.others[row.category] ?? 0) + 1;
      continue;
    }
    [first, last] = [Math.min(first, row.at), Math.max(last, row.at)];
    waiting.push(row);
    if (waiting.length === books.most) await flush();
  }
  await flush();
  // Times of the file are whole seconds.
  const [from, to] = [period.from ?? first, period.to ?? last + 999];
  if (!Number.isFinite(from) || !Number.isFinite(to)) return summary;
  [summary.from, summary.to] = [timestampOf(from), timestampOf(to)];
  for (let after: number | null = 0; after !== null; ) {
    const page = await books.compare({ from, to, after });
    for (const payment of page.payments) {
      const found = tallies.of(payment.payment_seq);
      const paidAt = Date.parse(payment.paid_at);
      // Without the processor's time it may have been paid before it was booked.
      const isWithin = paidAt >= from + (payment.is_charged_at ? 0 : books.usuallyMs) && paidAt <= to;
      if (isWithin || found.isCharged) summary.payments += 1;
      if (found.isForeign) continue;
      for (const difference of differencesOf(payment, found, isWithin)) await report(difference);
    }
    after = page.next;
  }
  return summary;
}

/** Adds rows to what the file has of their payments. */
async function tally(
  rows: readonly ReportRow[],
  books: Books,
  tallies: Tallies,
  report: (difference: Difference) => Promise<void>,
): Promise<void> {
  if (rows.length === 0) return;
  const { found } = await books.find(
    rows.map(({ paymentIntent, invoiceId, chargeId }) => ({
      payment_intent: paymentIntent,
      invoice_id: invoiceId,
      charge_id: chargeId,
    })),
  );
  for (const [index, row] of rows.entries()) {
    const { payment_seq: number = null, unbooked = null } = found[index] ?? {};
    const of = COMPARED[row.category] ?? 'charged';
    const difference = {
      line: row.line,
      category: row.category,
      payment_intent: row.paymentIntent,
      charge_id: row.chargeId,
      reference: null,
      operator_id: null,
      file_cents: row.cents,
      books_cents: null,
      currency: row.currency,
      at: timestampOf(row.at),
      unbooked,
    };
    if (number === null) await report({ ...difference, difference: 'not_in_books' });
    else if (row.currency !== 'usd') {
      tallies.setForeign(number);
      await report({ ...difference, difference: 'currency' });
    } else tallies.add(number, of, of === 'charged' ? row.cents : -row.cents);
  }
}

type Payment = Static<typeof CompareResponse>['payments'][number];

/** Returns what the file and the books say differently of one payment. */
function differencesOf(payment: Payment, file: Tally, isWithin: boolean): Difference[] {
  const of = (
    difference: Difference['difference'],
    category: string,
    file_cents: number | null,
    books_cents: number,
  ): Difference => ({
    difference,
    line: null,
    category,
    payment_intent: payment.payment_intent,
    charge_id: null,
    reference: payment.reference,
    operator_id: payment.operator_id,
    file_cents,
    books_cents,
    currency: 'usd',
    at: payment.paid_at,
    unbooked: null,
  });
  const found: Difference[] = [];
  // A month of a subscription that costs nothing has no charge.
  if (file.isCharged && file.charged !== payment.usd_cents)
    found.push(of('amount', 'charge', file.charged, payment.usd_cents));
  if (!file.isCharged && isWithin && payment.usd_cents > 0)
    found.push(of('not_in_file', 'charge', null, payment.usd_cents));
  if (differs(file.refunded, payment.refunds))
    found.push(of('refunds', 'refund', file.refunded, payment.refunds.within));
  if (differs(file.disputed, payment.chargebacks))
    found.push(of('disputes', 'dispute', file.disputed, payment.chargebacks.within));
  return found;
}

/**
 * Returns whether what a file has differs from the books. What was booked at the beginning of the period may
 * have been made before it, and what was made at its end may be booked after it.
 */
function differs(file: number, { within, sure, later }: Payment['refunds']): boolean {
  return file < Math.min(within, sure, later) || file > Math.max(within, sure, later);
}
