import type { Store } from '../../platform/store/store.ts';
import type { Clock } from '../../platform/time/clock.ts';
import { DAY_MS } from '../../platform/time/units.ts';
import { deleteOldEvents, deleteOpenCheckouts } from './checkout-store.ts';
import { deleteWaitingDocuments } from './document-store.ts';
import { deleteWaiting } from './report-store.ts';

/** The processor repeats an event for three days, and its dashboard for 30. */
const EVENT_DAYS = 35;
/** A late payment of an ended session still finds its order. */
const CHECKOUT_DAYS = 7;
/** A report whose payment is not booked by then is not about a payment of this service. */
const WAITING_DAYS = 90;
/** Rows per transaction. It ends within milliseconds, so that other writers are not blocked. */
const BATCH = 500;

/**
 * Deletes orders 7 days after they ended unpaid, events after 35 days, and
 * reports and pages of payments that were never booked after 90 days. Booked payments stay, so that they
 * are never booked again.
 */
export async function deleteOldBillingRows({ store, clock }: { store: Store; clock: Clock }): Promise<void> {
  const now = clock.now();
  const deleteBatch = (): Promise<number> =>
    store.writeAsService(async (tx) =>
      Math.max(
        await deleteOpenCheckouts(tx, now - CHECKOUT_DAYS * DAY_MS, BATCH),
        await deleteOldEvents(tx, now - EVENT_DAYS * DAY_MS, BATCH),
        await deleteWaiting(tx, now - WAITING_DAYS * DAY_MS, BATCH),
        await deleteWaitingDocuments(tx, now - WAITING_DAYS * DAY_MS, BATCH),
      ),
    );
  while ((await deleteBatch()) === BATCH);
}
