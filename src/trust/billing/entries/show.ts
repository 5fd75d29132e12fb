import type { Snapshot } from '../../../platform/store/transaction.ts';
import { commonErrors } from '../../http/errors.ts';
import { intentOfCharge } from '../document-store.ts';
import { unbookedView } from '../list-unbooked.ts';
import {
  type PaymentRow,
  paymentOfIntent,
  paymentOfInvoice,
  paymentOfSession,
  unbookedBySource,
  unbookedOfIntent,
} from '../payment-store.ts';
import { intentToldOfCharge, reportById } from '../report-store.ts';
import type { EntriesContext } from './list.ts';
import { entriesOfPayment } from './store.ts';
import { entryView } from './view.ts';

/** The most entries that are shown of a payment. */
const MOST_ENTRIES = 1000;

/**
 * Returns a payment with all that followed, oldest first, or why it was not booked.
 * @param reference the id of its session, invoice, payment intent, charge, refund or dispute
 * @throws ApiError not_found
 */
export async function showPayment({ store, clock }: Omit<EntriesContext, 'cursors'>, reference: string) {
  const now = clock.now();
  return store.read(async (snapshot) => {
    const payment = await paymentOf(snapshot, reference);
    if (payment !== null) {
      const { paymentSeq } = payment;
      const states = await entriesOfPayment(snapshot, { paymentSeq, limit: MOST_ENTRIES });
      return {
        operator_id: states[0]?.operatorId ?? null,
        entries: states.map((state) => entryView(state, now)),
        unbooked: null,
      };
    }
    const unbooked =
      (await unbookedBySource(snapshot, reference)) ?? (await unbookedOfIntent(snapshot, reference));
    if (unbooked !== null)
      return { operator_id: unbooked.operatorId, entries: [], unbooked: unbookedView(unbooked) };
    throw commonErrors.not_found({
      message: `No payment has the id ${reference}. See countersign billing list.`,
    });
  });
}

async function paymentOf(snapshot: Snapshot, id: string): Promise<PaymentRow | null> {
  const intent =
    (await reportById(snapshot, id))?.paymentIntent ?? (await intentOfCharge(snapshot, id)) ?? id;
  return (
    (await paymentOfIntent(snapshot, intent)) ??
    (await paymentOfSession(snapshot, id)) ??
    (await paymentOfInvoice(snapshot, id)) ??
    (await paymentOfToldCharge(snapshot, id))
  );
}

/** Returns the payment of a charge that only refunds, disputes or warnings have named. */
async function paymentOfToldCharge(snapshot: Snapshot, chargeId: string): Promise<PaymentRow | null> {
  const told = await intentToldOfCharge(snapshot, chargeId);
  return told === null ? null : paymentOfIntent(snapshot, told.paymentIntent);
}
