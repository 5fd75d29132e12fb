import type { Transaction } from '../../platform/store/transaction.ts';
import type { BookingContext } from './booking-context.ts';
import { countWaitingDocuments, deleteWaitingDocuments, putDocument } from './document-store.ts';
import type { PaymentDocument } from './documents.ts';

/**
 * The most documents of payments that are not booked. Each has at most 7 kB. A newer one takes the place of
 * the oldest: an account at the processor may have payments of other products.
 */
const MOST_WAITING = 10_000;

/** Stores the pages of an invoice or a payment intent, even before its payment is booked. */
export async function storeDocumentIn(
  tx: Transaction,
  { clock }: Pick<BookingContext, 'clock'>,
  document: PaymentDocument,
): Promise<void> {
  if ((await countWaitingDocuments(tx)) >= MOST_WAITING)
    await deleteWaitingDocuments(tx, Number.MAX_SAFE_INTEGER, 1);
  await putDocument(tx, { ...document, receivedAt: clock.now() });
}
