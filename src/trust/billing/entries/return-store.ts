import { paymentEntry } from '../../../../db/trust/billing.ts';
import { sqlOf } from '../../../platform/store/sql.ts';

const sql = sqlOf({ paymentEntry });

/** Stores what a payer got back of a payment, or what came back. */
export const insertReturn = sql.insert(paymentEntry, {
  without: ['entrySeq'],
  fixed: { settlementSeq: null, reportId: null, transactionId: null },
});

/** Returns what the payer of a payment has back by refunds and by chargebacks, in US cents. */
export const returnsOf = sql.joined({
  refunds: sql.number`coalesce(sum(cents) FILTER (WHERE kind = 'refund'), 0)`,
  chargebacks: sql.number`coalesce(sum(cents) FILTER (WHERE kind = 'chargeback'), 0)`,
}).row`FROM payment_entry WHERE payment_seq = ${'paymentSeq'}`;
