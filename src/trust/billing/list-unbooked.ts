import { Type } from '@sinclair/typebox';
import { type Cursors, positionNumber } from '../../platform/http/pagination/cursor.ts';
import type { Paging } from '../../platform/http/pagination/page.ts';
import type { Store } from '../../platform/store/store.ts';
import { timestampOf } from '../../platform/time/timestamp.ts';
import { pageRequest } from '../http/paging.ts';
import { type UnbookedRow, unbookedAfter } from './payment-store.ts';

/** The list of payments that were not booked, ordered by number. */
const UNBOOKED = { name: 'unbooked payments', position: Type.Tuple([positionNumber]) };

/**
 * Returns a page of the payments that were neither booked nor refunded, oldest first.
 * @throws ApiError validation_error for an invalid cursor
 */
export async function listUnbooked({ store, cursors }: { store: Store; cursors: Cursors }, query: Paging) {
  const { limit, after, takePage } = pageRequest(query, cursors.of(UNBOOKED, []));
  const rows = await store.read((snapshot) =>
    unbookedAfter(snapshot, { after: after?.[0] ?? 0, limit: limit + 1 }),
  );
  const { page, next_cursor } = takePage(rows, (last) => [last.unbookedSeq]);
  return { payments: page.map(unbookedView), next_cursor };
}

/** Returns a payment that was not booked, as commands show it. */
export function unbookedView(row: UnbookedRow) {
  return {
    created_at: timestampOf(row.createdAt),
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
