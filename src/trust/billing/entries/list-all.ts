import { Type } from '@sinclair/typebox';
import { positionNumber } from '../../../platform/http/pagination/cursor.ts';
import { timestampOf } from '../../../platform/time/timestamp.ts';
import { pageRequest } from '../../http/paging.ts';
import { requireOperatorIn } from '../../operators/require-operator.ts';
import { type UnbookedRow, unbookedBefore } from '../payment-store.ts';
import { type PaymentKind, rangesOf } from './kinds.ts';
import { boundsOf, type EntriesContext, type EntryQuery } from './list.ts';
import { type EntryState, selectEntries } from './store.ts';
import { entryView } from './view.ts';

interface AllQuery extends Omit<EntryQuery, 'kind'> {
  /** The id of an operator. */
  of?: string | undefined;
  kind?: PaymentKind | 'unbooked' | undefined;
}

/** The list of all payments: the time, and the numbers below which entries and unbooked payments follow. */
const ALL_PAYMENTS = {
  name: 'all payments',
  position: Type.Tuple([positionNumber, positionNumber, positionNumber]),
};

/** Above every number. */
const LAST = Number.MAX_SAFE_INTEGER;

type Row = { at: number; seq: number } & ({ state: EntryState } | { unbooked: UnbookedRow });

/**
 * Returns a page of the payments of all operators, or of one, newest first. What was not booked is among
 * them, unless they are asked for by status.
 * @throws ApiError validation_error for an invalid cursor; not_found for an unknown operator
 */
export async function listAllPayments({ store, cursors, clock }: EntriesContext, query: AllQuery) {
  const { of: operator, kind, status } = query;
  const { limit, after, takePage } = pageRequest(
    query,
    cursors.of(ALL_PAYMENTS, [operator, kind, status, query.from, query.to]),
  );
  const { from, to } = boundsOf(query);
  const [time, entrySeq, unbookedSeq] = after ?? [to, 0, 0];
  const most = limit + 1;
  const found = await store.read(async (snapshot) => {
    const operatorSeq =
      operator === undefined ? undefined : (await requireOperatorIn(snapshot, operator)).operatorSeq;
    const ranges = kind === 'unbooked' ? [] : rangesOf(kind, status);
    const before = { createdAt: time, entrySeq };
    const states = await selectEntries(snapshot, { operatorSeq, ranges, from, before, limit: most });
    const isUnbooked = (kind === undefined || kind === 'unbooked') && status === undefined;
    const beforeUnbooked = { from, beforeTime: time, beforeSeq: unbookedSeq, limit: most };
    const others = isUnbooked
      ? await unbookedBefore(snapshot, { operatorId: operator ?? null, ...beforeUnbooked })
      : [];
    return [
      ...states.map((state): Row => ({ at: state.entry.createdAt, seq: state.entry.entrySeq, state })),
      ...others.map((unbooked): Row => ({ at: unbooked.createdAt, seq: unbooked.unbookedSeq, unbooked })),
    ];
  });
  // Entries stand before what was not booked in the same millisecond.
  const rows = found
    .toSorted(
      (one, other) =>
        other.at - one.at || Number('unbooked' in one) - Number('unbooked' in other) || other.seq - one.seq,
    )
    .slice(0, most);
  const { page, next_cursor } = takePage(rows, (last) =>
    'unbooked' in last ? [last.at, 0, last.seq] : [last.at, last.seq, LAST],
  );
  const now = clock.now();
  return { payments: page.map((row) => shown(row, now)), next_cursor };
}

function shown(row: Row, now: number) {
  if ('state' in row) return { operator_id: row.state.operatorId, ...entryView(row.state, now) };
  const { createdAt, reason, amount, currency, sourceId, invoiceId, paymentIntent, sandbox } = row.unbooked;
  return {
    operator_id: row.unbooked.operatorId,
    created_at: timestampOf(createdAt),
    kind: 'unbooked' as const,
    status: reason,
    amount,
    credits: 0,
    promotional_credits: 0,
    stake_cents: 0,
    currency,
    reference: sourceId,
    invoice_id: invoiceId,
    payment_intent: paymentIntent,
    charge_id: null,
    transaction_id: null,
    subject_commitment: null,
    held_until: null,
    invoice_url: null,
    invoice_pdf: null,
    receipt_url: null,
    sandbox,
  };
}
