import { type Count, wrongCounts, wrongRows } from '../../../platform/audit/counts.ts';
import type { RowRange } from '../../../platform/audit/table.ts';
import { runQuery, type Snapshot } from '../../../platform/store/transaction.ts';
import type { Problem } from '../../../proof/log/problem.ts';

/** A payment with what its digest covers. */
export interface PaymentRow {
  paymentSeq: number;
  /** null without its agent. */
  commitment: string | null;
  nonce: string;
  product: string;
  credits: number;
  merchant: string | null;
  expiresAt: string;
  /** 32 hexadecimal characters. */
  transactionId: string;
  paymentDigest: string;
}

/** A settlement with what its digest covers. */
export interface SettlementRow {
  settlementSeq: number;
  /** null without its agent. */
  commitment: string | null;
  rail: string;
  reference: string;
  credits: number;
  amountLabel: string | null;
  bodyDigest: string;
}

/** A withdrawal and its receipt, whose members are null where it is missing. */
export interface WithdrawalRow {
  payoutSeq: number;
  withdrawalId: string;
  commitment: string | null;
  amount: number;
  usdCents: number;
  reference: string;
  address: string;
  /** 1 if the service issued the receipt itself, else 0. */
  isOfService: number;
  receiptType: string | null;
  agentId: string | null;
  authorityScope: string | null;
  inputDigest: string | null;
  outputHash: string | null;
}

const COMMITMENT = 'iif(a.agent_seq IS NULL, NULL, lower(hex(a.subject_commitment))) AS commitment';

const PAYMENTS = `
  SELECT payment_seq AS paymentSeq, ${COMMITMENT}, nonce, product, credits, merchant, expires_at AS expiresAt,
    lower(hex(transaction_id)) AS transactionId, lower(hex(payment_digest)) AS paymentDigest
  FROM agent_payment p LEFT JOIN agent a ON a.agent_seq = p.agent_seq
  WHERE payment_seq > ? AND payment_seq <= ? ORDER BY payment_seq`;

const SETTLEMENTS = `
  SELECT settlement_seq AS settlementSeq, ${COMMITMENT}, rail, reference, credits, amount_label AS amountLabel,
    lower(hex(body_digest)) AS bodyDigest
  FROM settlement s LEFT JOIN agent a ON a.agent_seq = s.agent_seq
  WHERE settlement_seq > ? AND settlement_seq <= ? ORDER BY settlement_seq`;

const WITHDRAWALS = `
  SELECT payout_seq AS payoutSeq, 'wdr_' || lower(hex(withdrawal_id)) AS withdrawalId, ${COMMITMENT}, amount, usd_cents AS usdCents,
    reference, address, (s.receipt_seq IS NOT NULL) AS isOfService, r.receipt_type AS receiptType, r.agent_id AS agentId,
    r.authority_scope AS authorityScope, iif(r.receipt_seq IS NULL, NULL, lower(hex(r.input_digest))) AS inputDigest,
    iif(v.receipt_seq IS NULL, NULL, lower(hex(v.output_hash))) AS outputHash
  FROM payout p LEFT JOIN agent a ON a.agent_seq = p.agent_seq
  LEFT JOIN receipt r ON r.receipt_seq = p.receipt_seq
  LEFT JOIN receipt_version v ON v.receipt_seq = p.receipt_seq AND v.version = 2
  LEFT JOIN service_receipt s ON s.receipt_seq = p.receipt_seq
  WHERE payout_seq > ? AND payout_seq <= ? ORDER BY payout_seq`;

/** Reads the payments of a range, even those of missing agents. */
export function paymentRows(snapshot: Snapshot, range: RowRange): Promise<PaymentRow[]> {
  return rowsOf(snapshot, PAYMENTS, range);
}

/** Reads the settlements of a range, even those of missing agents. */
export function settlementRows(snapshot: Snapshot, range: RowRange): Promise<SettlementRow[]> {
  return rowsOf(snapshot, SETTLEMENTS, range);
}

/** Reads the withdrawals of a range with their receipts. */
export function withdrawalRows(snapshot: Snapshot, range: RowRange): Promise<WithdrawalRow[]> {
  return rowsOf(snapshot, WITHDRAWALS, range);
}

function rowsOf<Row>(snapshot: Snapshot, text: string, { after, reach }: RowRange): Promise<Row[]> {
  return runQuery(snapshot, ({ sqlite }) => sqlite.query<Row, [number, number]>(text).all(after, reach));
}

/** Returns the highest number of a payment; 0 if there is none. */
export function newestPayment(snapshot: Snapshot): Promise<number> {
  return newest(snapshot, 'SELECT max(payment_seq) AS seq FROM agent_payment');
}

/** Returns the highest number of a settlement; 0 if there is none. */
export function newestSettlement(snapshot: Snapshot): Promise<number> {
  return newest(snapshot, 'SELECT max(settlement_seq) AS seq FROM settlement');
}

/** Returns the highest number of a payout; 0 if there is none. */
export function newestWithdrawal(snapshot: Snapshot): Promise<number> {
  return newest(snapshot, 'SELECT max(payout_seq) AS seq FROM payout');
}

async function newest(snapshot: Snapshot, text: string): Promise<number> {
  const row = await runQuery(snapshot, ({ sqlite }) => sqlite.query<{ seq: number | null }, []>(text).get());
  return row?.seq ?? 0;
}

/** The transactions of a kind of movements, as one row each. */
const booked = (kind: string, condition: string): string => `
  booked AS MATERIALIZED (
    SELECT transaction_id, min(movement_seq) AS first_seq, min(debit_kind) AS debit_kind, min(debit_owner) AS debit_owner,
      min(credit_kind) AS credit_kind, min(credit_owner) AS credit_owner, min(asset) AS asset, sum(amount) AS amount,
      min(reference) AS reference, min(memo) AS memo, min(created_at) AS at
    FROM movement WHERE kind = '${kind}' AND ${condition} GROUP BY transaction_id
  )`;

const SPENT = booked('SPEND', 'TRUE');
/** Payments to an operator are movements of the same kind. */
const SETTLED = booked('SETTLEMENT', "credit_kind = 'agent'");

const PAYMENT_CHECKS: readonly Count[] = [
  {
    what: 'the movement that paid it is not a SPEND of its agent for its product',
    expected: "'agent, ' || p.agent_seq || ', revenue, ' || p.product",
    found: "b.debit_kind || ', ' || b.debit_owner || ', ' || b.credit_kind || ', ' || b.reference",
  },
  { what: 'credits is not the amount of its SPEND', expected: 'b.amount', found: 'p.credits' },
];

const SETTLEMENT_CHECKS: readonly Count[] = [
  {
    what: 'the movement that booked it is not a SETTLEMENT of its agent for its reference',
    expected:
      "'issuance, ' || s.agent_seq || ', paid, ' || s.rail || ':' || s.reference || ', ' || coalesce(s.amount_label, 'none')",
    found:
      "b.debit_kind || ', ' || b.credit_owner || ', ' || b.asset || ', ' || b.reference || ', ' || coalesce(b.memo, 'none')",
  },
  { what: 'credits is not the amount of its SETTLEMENT', expected: 'b.amount', found: 's.credits' },
  {
    what: 'created_at is not the time of its SETTLEMENT',
    expected: 'b.at',
    found: "CAST(round(unixepoch(s.created_at, 'subsec') * 1000) AS INTEGER)",
  },
];

/**
 * Returns up to 100 payments that differ from their movements, and up to 100 movements that belong to no
 * payment or to two.
 */
export async function wrongPayments(snapshot: Snapshot): Promise<Problem[]> {
  const from = 'agent_payment p LEFT JOIN booked b ON b.transaction_id = p.transaction_id';
  return [
    ...(await wrongCounts(
      snapshot,
      'agent_payment',
      ['payment_seq'],
      { common: SPENT, from },
      PAYMENT_CHECKS,
    )),
    ...(await wrongRows(
      snapshot,
      'movement',
      'it is a SPEND, and the number of payments that it is of is not 1',
      `WITH ${SPENT}
       SELECT b.first_seq AS movement_seq, 1 AS expected, count(p.payment_seq) AS found
       FROM booked b LEFT JOIN agent_payment p ON p.transaction_id = b.transaction_id
       GROUP BY b.transaction_id HAVING found <> 1 LIMIT 100`,
    )),
  ];
}

/**
 * Returns up to 100 settlements that differ from their movements, and up to 100 movements that belong to no
 * settlement or to two.
 */
export async function wrongSettlements(snapshot: Snapshot): Promise<Problem[]> {
  const from = 'settlement s LEFT JOIN booked b ON b.transaction_id = s.transaction_id';
  return [
    ...(await wrongCounts(
      snapshot,
      'settlement',
      ['settlement_seq'],
      { common: SETTLED, from },
      SETTLEMENT_CHECKS,
    )),
    ...(await wrongRows(
      snapshot,
      'movement',
      'it is a SETTLEMENT of an agent, and the number of settlements that it is of is not 1',
      `WITH ${SETTLED}
       SELECT b.first_seq AS movement_seq, 1 AS expected, count(s.settlement_seq) AS found
       FROM booked b LEFT JOIN settlement s ON s.transaction_id = b.transaction_id
       GROUP BY b.transaction_id HAVING found <> 1 LIMIT 100`,
    )),
  ];
}

/** Returns up to 100 receipts of the service that are about a withdrawal, but that no withdrawal has. */
export function unfoundedReceipts(snapshot: Snapshot): Promise<Problem[]> {
  return wrongRows(
    snapshot,
    'service_receipt',
    'it is the receipt of no withdrawal',
    `SELECT s.receipt_seq, 1 AS expected, NULL AS found
     FROM service_receipt s JOIN receipt r ON r.receipt_seq = s.receipt_seq
     WHERE r.authority_scope GLOB 'withdrawal:*' AND NOT EXISTS (SELECT 1 FROM payout p WHERE p.receipt_seq = s.receipt_seq)
     LIMIT 100`,
  );
}
