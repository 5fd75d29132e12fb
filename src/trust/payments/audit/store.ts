import { agent } from '../../../../db/trust/agents.ts';
import { agentPayment, settlement, unbookedSettlement } from '../../../../db/trust/payments.ts';
import { payout } from '../../../../db/trust/payouts.ts';
import { receipt, receiptVersion, serviceReceipt } from '../../../../db/trust/receipts.ts';
import { type Text, wrongRows, wrongValues } from '../../../platform/audit/counts.ts';
import { derived } from '../../../platform/audit/derived.ts';
import { orNull, sqlOf } from '../../../platform/store/sql.ts';

const sql = sqlOf({
  agent,
  agentPayment,
  payout,
  receipt,
  receiptVersion,
  serviceReceipt,
  settlement,
  unbookedSettlement,
});

/** null without its agent. */
const commitment = orNull(agent.subjectCommitment);

/** Reads the payments of a range with what their digests cover, even those of missing agents. */
export const paymentRows = sql.joined({ payment: agentPayment, commitment }).rows`
  FROM agent_payment LEFT JOIN agent ON agent.agent_seq = agent_payment.agent_seq
  WHERE payment_seq > ${'after:paymentSeq'} AND payment_seq <= ${'reach:paymentSeq'} ORDER BY payment_seq`;
export type PaymentRow = Awaited<ReturnType<typeof paymentRows>>[number];

/** Reads the settlements of a range with what their digests cover, even those of missing agents. */
export const settlementRows = sql.joined({ settlement, commitment }).rows`
  FROM settlement LEFT JOIN agent ON agent.agent_seq = settlement.agent_seq
  WHERE settlement_seq > ${'after:settlementSeq'} AND settlement_seq <= ${'reach:settlementSeq'}
  ORDER BY settlement_seq`;
export type SettlementRow = Awaited<ReturnType<typeof settlementRows>>[number];

/** Reads the settlements of a range that exceeded a cap, as above. */
export const unbookedRows = sql.joined({ settlement: unbookedSettlement, commitment }).rows`
  FROM unbooked_settlement LEFT JOIN agent ON agent.agent_seq = unbooked_settlement.agent_seq
  WHERE unbooked_seq > ${'after:unbookedSeq'} AND unbooked_seq <= ${'reach:unbookedSeq'}
  ORDER BY unbooked_seq`;
export type UnbookedRow = Awaited<ReturnType<typeof unbookedRows>>[number];

/** Reads the withdrawals of a range with their receipts, whose members are null where one is missing. */
export const withdrawalRows = sql.joined({
  payout,
  commitment,
  isOfService: sql.flag`service_receipt.receipt_seq IS NOT NULL`,
  receiptType: orNull(receipt.receiptType),
  agentId: orNull(receipt.agentId),
  authorityScope: orNull(receipt.authorityScope),
  inputDigest: orNull(receipt.inputDigest),
  outputHash: orNull(receiptVersion.outputHash),
}).rows`FROM payout LEFT JOIN agent ON agent.agent_seq = payout.agent_seq
  LEFT JOIN receipt ON receipt.receipt_seq = payout.receipt_seq
  LEFT JOIN receipt_version ON receipt_version.receipt_seq = payout.receipt_seq
    AND receipt_version.version = 2
  LEFT JOIN service_receipt ON service_receipt.receipt_seq = payout.receipt_seq
  WHERE payout_seq > ${'after:payoutSeq'} AND payout_seq <= ${'reach:payoutSeq'} ORDER BY payout_seq`;
export type WithdrawalRow = Awaited<ReturnType<typeof withdrawalRows>>[number];

/** Returns the highest number of a payment; null if there is none. */
export const newestPayment = sql.value(sql.number`max(payment_seq)`)`FROM agent_payment`;

/** Returns the highest number of a settlement; null if there is none. */
export const newestSettlement = sql.value(sql.number`max(settlement_seq)`)`FROM settlement`;

/** Returns the highest number of a settlement that exceeded a cap; null if there is none. */
export const newestUnbooked = sql.value(sql.number`max(unbooked_seq)`)`FROM unbooked_settlement`;

/** Returns the highest number of a payout; null if there is none. */
export const newestWithdrawal = sql.value(sql.number`max(payout_seq)`)`FROM payout`;

/** The transactions of some movements, as one row each. */
const booked = (condition: Text): Text => sql.part`booked AS MATERIALIZED (
    SELECT transaction_id, min(movement_seq) AS first_seq, min(debit_kind) AS debit_kind,
      min(debit_owner) AS debit_owner, min(credit_kind) AS credit_kind, min(credit_owner) AS credit_owner,
      min(asset) AS asset, sum(amount) AS amount, min(reference) AS reference, min(memo) AS memo,
      min(created_at) AS at
    FROM movement WHERE ${condition} GROUP BY transaction_id
  )`;

const SPENT = booked(sql.part`kind = 'SPEND'`);
/** Payments to an operator are movements of the same kind. */
const SETTLED = booked(sql.part`kind = 'SETTLEMENT' AND credit_kind = 'agent'`);

/** Up to 100 payments that differ from their movements. */
const otherPayments = wrongValues(
  'agent_payment',
  ['payment_seq'],
  {
    with: SPENT,
    from: sql.part`agent_payment p LEFT JOIN booked b ON b.transaction_id = p.transaction_id`,
  },
  [
    {
      what: 'the movement that paid it is not a SPEND of its agent for its product',
      expected: sql.part`'agent, ' || p.agent_seq || ', revenue, ' || p.product`,
      found: sql.part`b.debit_kind || ', ' || b.debit_owner || ', ' || b.credit_kind || ', ' || b.reference`,
    },
    {
      what: 'credits is not the amount of its SPEND',
      expected: sql.part`b.amount`,
      found: sql.part`p.credits`,
    },
  ],
);

/** Up to 100 movements that belong to no payment or to two. */
const otherSpends = wrongRows(
  'movement',
  'it is a SPEND, and the number of payments that it is of is not 1',
  sql.reported()`WITH ${SPENT}
    SELECT b.first_seq AS movement_seq, 1 AS expected, count(p.payment_seq) AS found
    FROM booked b LEFT JOIN agent_payment p ON p.transaction_id = b.transaction_id
    GROUP BY b.transaction_id HAVING count(p.payment_seq) <> 1 LIMIT 100`,
);

/** The checks of payments against their movements, in both directions. */
export const paymentChecks = [otherPayments, otherSpends];

/** Up to 100 settlements that differ from their movements. */
const otherSettlements = wrongValues(
  'settlement',
  ['settlement_seq'],
  {
    with: SETTLED,
    from: sql.part`settlement s LEFT JOIN booked b ON b.transaction_id = s.transaction_id`,
  },
  [
    {
      what: 'the movement that booked it is not a SETTLEMENT of its agent for its reference',
      expected: sql.part`'issuance, ' || s.agent_seq || ', paid, ' || s.rail || ':' || s.reference || ', '
        || coalesce(s.amount_label, 'none')`,
      found: sql.part`b.debit_kind || ', ' || b.credit_owner || ', ' || b.asset || ', ' || b.reference || ', '
        || coalesce(b.memo, 'none')`,
    },
    {
      what: 'credits is not the amount of its SETTLEMENT',
      expected: sql.part`b.amount`,
      found: sql.part`s.credits`,
    },
    {
      what: 'created_at is not the time of its SETTLEMENT',
      expected: sql.part`b.at`,
      found: sql.part`CAST(round(unixepoch(s.created_at, 'subsec') * 1000) AS INTEGER)`,
    },
  ],
);

/** Up to 100 movements that belong to no settlement or to two. */
const otherBookings = wrongRows(
  'movement',
  'it is a SETTLEMENT of an agent, and the number of settlements that it is of is not 1',
  sql.reported()`WITH ${SETTLED}
    SELECT b.first_seq AS movement_seq, 1 AS expected, count(s.settlement_seq) AS found
    FROM booked b LEFT JOIN settlement s ON s.transaction_id = b.transaction_id
    GROUP BY b.transaction_id HAVING count(s.settlement_seq) <> 1 LIMIT 100`,
);

/** What each rail settled in each hour, from which the caps of a day are computed. */
export const settledHours = derived({
  table: 'settlement_hour',
  key: ['hour', 'rail'],
  columns: { credits: 'credits is not the sum of the settlements of its rail and hour' },
  derives: 'rows',
  query: sql.part`SELECT unixepoch(created_at) / 3600 AS hour, rail, sum(credits) AS credits
    FROM settlement GROUP BY 1, 2`,
});

/** The checks of settlements against their movements, in both directions. */
export const settlementChecks = [otherSettlements, otherBookings];

/** Finds up to 100 receipts of the service that are about a withdrawal, but that no withdrawal has. */
export const unfoundedReceipts = wrongRows(
  'service_receipt',
  'it is the receipt of no withdrawal',
  sql.reported()`SELECT s.receipt_seq, 1 AS expected, NULL AS found
    FROM service_receipt s JOIN receipt r ON r.receipt_seq = s.receipt_seq
    WHERE substr(r.authority_scope, 1, 11) = 'withdrawal:'
      AND NOT EXISTS (SELECT 1 FROM payout p WHERE p.receipt_seq = s.receipt_seq)
    LIMIT 100`,
);
