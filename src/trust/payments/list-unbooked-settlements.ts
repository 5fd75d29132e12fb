import { Type } from '@sinclair/typebox';
import { type Cursors, positionNumber } from '../../platform/http/pagination/cursor.ts';
import type { Paging } from '../../platform/http/pagination/page.ts';
import type { Store } from '../../platform/store/store.ts';
import { pageRequest } from '../http/paging.ts';
import { unbookedSettlementsAfter } from './store.ts';

/** The list of settlements that wait, ordered by number. */
const UNBOOKED = { name: 'unbooked settlements', position: Type.Tuple([positionNumber]) };

/**
 * Returns a page of the settlements that exceeded a cap and are not booked, oldest first.
 * @throws ApiError validation_error for an invalid cursor
 */
export async function listUnbookedSettlements(
  { store, cursors }: { store: Store; cursors: Cursors },
  query: Paging,
) {
  const { limit, after, takePage } = pageRequest(query, cursors.of(UNBOOKED, []));
  const rows = await store.read((snapshot) =>
    unbookedSettlementsAfter(snapshot, { after: after?.[0] ?? 0, limit: limit + 1 }),
  );
  const { page, next_cursor } = takePage(rows, ({ unbooked }) => [unbooked.unbookedSeq]);
  return {
    settlements: page.map(({ unbooked, subjectCommitment }) => ({
      rail: unbooked.rail,
      reference: unbooked.reference,
      subject_commitment: subjectCommitment,
      credits: unbooked.credits,
      amount_label: unbooked.amountLabel,
      created_at: unbooked.createdAt,
    })),
    next_cursor,
  };
}
