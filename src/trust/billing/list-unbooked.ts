import type { Store } from '../../platform/store/store.ts';
import { timestamp } from '../../platform/time/clock.ts';
import { type UnbookedRow, unbookedAfter } from './payment-store.ts';

/** The rows of a page. */
const PAGE = 100;

/**
 * Returns a page of the payments that were neither booked nor refunded, oldest first.
 * @param after the last row of the page before
 */
export async function unbookedPayments({ store }: { store: Store }, after: number) {
  const rows = await store.read((snapshot) => unbookedAfter(snapshot, after, PAGE));
  return {
    payments: rows.map(shown),
    next: rows.length === PAGE ? (rows.at(-1)?.unbookedSeq ?? null) : null,
  };
}

function shown(row: UnbookedRow) {
  return {
    created_at: timestamp({ now: () => row.createdAt }),
    source_id: row.sourceId,
    reason: row.reason,
    amount: row.amount,
    currency: row.currency,
    purpose: row.purpose,
    operator_id: row.operatorId,
    customer_id: row.customerId,
    payment_intent: row.paymentIntent,
    event_id: row.eventId,
    sandbox: row.sandbox,
  };
}
