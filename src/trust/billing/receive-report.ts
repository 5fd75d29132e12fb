import type { Transaction } from '../../platform/store/transaction.ts';
import { operatorBySeq } from '../operators/status.ts';
import type { BookingContext } from './booking-context.ts';
import { combined, type Report } from './disputes/report.ts';
import { paymentOfIntent } from './payment-store.ts';
import {
  countWaiting,
  deleteWaiting,
  hasInvoiceWithoutIntent,
  putReport,
  reportById,
} from './report-store.ts';
import { settleAndRecordIn } from './settle-and-record.ts';

/**
 * The most reports about payments that are not booked. Each has at most 2 kB. A newer one takes the place of
 * the oldest: an account at the processor may have payments of other products.
 */
const MOST_WAITING = 10_000;

/**
 * Thrown by a transaction that needs the invoice of a payment intent. After it, the processor is asked, and
 * the transaction is repeated.
 */
export class NeedsInvoice extends Error {
  constructor(readonly paymentIntent: string) {
    super('the invoice of a payment intent is needed');
  }
}

/**
 * Stores what an event reports about a payment, and books and holds what follows from all reports about it.
 * A report about a payment that is not booked waits for it.
 * @param isAsked whether the processor was asked for the invoice of the payment
 */
export async function reportIn(
  tx: Transaction,
  context: BookingContext,
  report: Report,
  isAsked: boolean,
): Promise<'applied' | 'waiting' | 'ignored'> {
  const { reportId, kind, paymentIntent } = report;
  const known = await reportById(tx, reportId);
  if (known !== null && (known.kind !== kind || known.paymentIntent !== paymentIntent)) return 'ignored';
  const payment = await paymentOfIntent(tx, paymentIntent);
  if (payment === null && !isAsked && (await hasInvoiceWithoutIntent(tx)))
    throw new NeedsInvoice(paymentIntent);
  if (payment === null && known === null && (await countWaiting(tx)) >= MOST_WAITING)
    await deleteWaiting(tx, Number.MAX_SAFE_INTEGER, 1);
  await putReport(tx, {
    ...(known === null ? report : combined(known, report)),
    waiting: payment === null,
    receivedAt: known?.receivedAt ?? context.clock.now(),
  });
  if (payment === null) return 'waiting';
  const operator = await operatorBySeq(tx, payment.operatorSeq);
  if (operator !== null) await settleAndRecordIn(tx, context, payment, operator);
  return 'applied';
}
