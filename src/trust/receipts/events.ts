import { type Static, Type } from '@sinclair/typebox';
import { oneOf } from '../../platform/http/schema.ts';
import type { Transaction } from '../../platform/store/transaction.ts';
import { OUTCOMES } from '../../proof/receipt/receipt.ts';
import type { Events } from '../webhooks/events.ts';

/** The event about receipts, for their operator only. */
export const receiptsEvents = {
  'receipt.finalized': Type.Object({
    receipt_id: Type.String(),
    status: oneOf(OUTCOMES),
    content_hash: Type.String(),
  }),
};

/**
 * Tells the operator of a receipt that it was finalized, when the transaction is committed.
 * @param at RFC 3339
 */
export function tellFinalizedIn(
  tx: Transaction,
  { events }: { events: Pick<Events, 'emitIn'> },
  operatorSeq: number,
  at: string,
  data: Static<(typeof receiptsEvents)['receipt.finalized']>,
): void {
  events.emitIn(tx, receiptsEvents, {
    event: 'receipt.finalized',
    data,
    timestamp: at,
    operators: [operatorSeq],
    isPrivate: true,
  });
}
