import { Type } from '@sinclair/typebox';
import { type Cursors, positionNumber } from '../../../platform/http/pagination/cursor.ts';
import type { Paging } from '../../../platform/http/pagination/page.ts';
import type { Store } from '../../../platform/store/store.ts';
import type { Clock } from '../../../platform/time/clock.ts';
import { parseTimestamp } from '../../../proof/encoding/timestamp.ts';
import { pageRequest } from '../../http/paging.ts';
import { type PaymentKind, type PaymentStatus, rangesOf } from './kinds.ts';
import { selectEntries } from './store.ts';
import { type EntryView, entryView } from './view.ts';

/** The parts of the service that lists of payments use. */
export type EntriesContext = { store: Store; cursors: Cursors; clock: Clock };

/** Which entries a list has. */
export interface EntryQuery extends Paging {
  kind?: PaymentKind | undefined;
  status?: PaymentStatus | undefined;
  /** RFC 3339; `from` inclusive, `to` exclusive. */
  from?: string | undefined;
  to?: string | undefined;
}

/** After every stored time. */
const NO_END = Number.MAX_SAFE_INTEGER;

/** Returns the bounds of a query in milliseconds since 1970. Digits below a millisecond round up. */
export function boundsOf({ from, to }: Pick<EntryQuery, 'from' | 'to'>): { from: number; to: number } {
  const at = (text: string | undefined, otherwise: number): number => {
    const time = text === undefined ? null : parseTimestamp(text);
    if (text === undefined || time === null) return otherwise;
    return /\.\d{3}\d*[1-9]/.test(text) ? time + 1 : time;
  };
  return { from: at(from, 0), to: at(to, NO_END) };
}

/** The list of an operator's payments, with the cursor position: time and number. */
const PAYMENTS = { name: 'account payments', position: Type.Tuple([positionNumber, positionNumber]) };

/**
 * Returns a page of what happened to an operator's payments, newest first.
 * @throws ApiError validation_error for an invalid cursor
 */
export async function listPayments(
  { store, cursors, clock }: EntriesContext,
  { operatorSeq }: { operatorSeq: number },
  query: EntryQuery,
): Promise<{ payments: EntryView[]; next_cursor: string | null }> {
  const { kind, status } = query;
  const { limit, after, takePage } = pageRequest(
    query,
    cursors.of(PAYMENTS, [operatorSeq, kind, status, query.from, query.to]),
  );
  const { from, to } = boundsOf(query);
  const before =
    after === undefined ? { createdAt: to, entrySeq: 0 } : { createdAt: after[0], entrySeq: after[1] };
  const rows = await store.read((snapshot) =>
    selectEntries(snapshot, { operatorSeq, ranges: rangesOf(kind, status), from, before, limit: limit + 1 }),
  );
  const { page, next_cursor } = takePage(rows, ({ entry }) => [entry.createdAt, entry.entrySeq]);
  const now = clock.now();
  return { payments: page.map((state) => entryView(state, now)), next_cursor };
}
