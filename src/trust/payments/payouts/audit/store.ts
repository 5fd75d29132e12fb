import { payout } from '../../../../../db/trust/payouts.ts';
import { numberingCheck, type Text, wrongValues } from '../../../../platform/audit/counts.ts';
import { derived } from '../../../../platform/audit/derived.ts';
import { sqlOf } from '../../../../platform/store/sql.ts';

const sql = sqlOf({ payout });

/**
 * The movements of a ledger transaction as one row.
 * @param side the account that is an agent's locked credits
 */
const transactions = (name: 'locking' | 'ending', side: 'debit' | 'credit'): Text => sql.part`
  ${sql.verbatim(name)} AS MATERIALIZED (
    SELECT transaction_id, min(kind) AS kind, min(reference) AS reference, min(created_at) AS at,
      min(debit_kind) || ' ' || min(debit_owner) AS debtor,
      min(credit_kind) || ' ' || min(credit_owner) AS creditor, min(receipt_seq) AS receipt_seq,
      group_concat(asset || ' ' || amount, ', ' ORDER BY ordinal) AS amounts
    FROM movement WHERE ${sql.verbatim(side)}_kind = 'locked' GROUP BY transaction_id
  )`;

/** The time that may lie between two readings of the clock in one transaction, in milliseconds. */
const SAME_TIME_MS = sql.verbatim('60000');

/** What every payout must share with the movements, the receipt and the transactions of its state. */
const PAYOUT = sql.part`payout p
  LEFT JOIN locking l ON l.transaction_id = p.lock_transaction_id
  LEFT JOIN ending n ON n.transaction_id = p.end_transaction_id
  LEFT JOIN agent a ON a.agent_seq = p.agent_seq
  LEFT JOIN custodial_wallet w ON w.owner_kind = 'agent' AND w.owner_seq = p.agent_seq
  LEFT JOIN receipt r ON r.receipt_seq = p.receipt_seq
  LEFT JOIN service_receipt s ON s.receipt_seq = p.receipt_seq`;

const ID = sql.part`'wdr_' || lower(hex(p.withdrawal_id))`;
const AMOUNTS = sql.part`'paid ' || p.amount`;
/** What is paid of it, or returned at its end. */
const REST = sql.part`'paid ' || (p.amount
  - (SELECT coalesce(sum(c.amount), 0) FROM payout_cut c WHERE c.payout_seq = p.payout_seq))`;
const ended = (value: Text): Text =>
  sql.part`CASE WHEN p.status IN ('confirmed', 'failed') THEN ${value} END`;
/** Returns the time of a movement if a stored one is near it, and else the stored one. */
const timeNear = (stored: Text, moved: Text): Text =>
  sql.part`CASE WHEN abs(${stored} - ${moved}) <= ${SAME_TIME_MS} THEN ${moved} ELSE ${stored} END`;

/** Up to 100 payouts that differ from the movements, the receipt or the transactions of their state. */
const otherPayouts = wrongValues(
  'payout',
  ['payout_seq'],
  {
    with: sql.part`${transactions('locking', 'credit')}, ${transactions('ending', 'debit')}`,
    from: PAYOUT,
  },
  [
    {
      what: 'status is none of its states',
      expected: sql.part`CASE WHEN p.status IN ('queued', 'submitted', 'confirmed', 'failed')
        THEN p.status ELSE 'a status' END`,
      found: sql.part`p.status`,
    },
    {
      what: 'the movement that reserved its credits is not a LOCK of its agent with its withdrawal_id',
      expected: sql.part`'LOCK, agent ' || p.agent_seq || ', locked ' || p.agent_seq || ', ' || ${ID}`,
      found: sql.part`l.kind || ', ' || l.debtor || ', ' || l.creditor || ', ' || l.reference`,
    },
    {
      what: 'the reserved credits are not its own, all paid',
      expected: AMOUNTS,
      found: sql.part`l.amounts`,
    },
    {
      what: 'created_at is not the time of its LOCK',
      expected: sql.part`l.at`,
      found: timeNear(sql.part`p.created_at`, sql.part`l.at`),
    },
    {
      what: 'the movement that ended it is not that of its status, of its agent, with its withdrawal_id',
      expected: ended(sql.part`CASE WHEN p.status = 'confirmed'
          THEN 'WITHDRAWAL, issuance 0' ELSE 'UNLOCK, agent ' || p.agent_seq END
        || ', locked ' || p.agent_seq || ', ' || ${ID}`),
      found: sql.part`n.kind || ', ' || n.creditor || ', ' || n.debtor || ', ' || n.reference`,
    },
    {
      what: 'the amount of the movement that ended it is not its own',
      expected: ended(REST),
      found: sql.part`n.amounts`,
    },
    {
      what: 'updated_at is not the time at which it ended',
      expected: ended(sql.part`n.at`),
      found: ended(timeNear(sql.part`p.updated_at`, sql.part`n.at`)),
    },
    {
      what: 'receipt_seq is not the receipt of the movement that ended it',
      expected: ended(sql.part`n.receipt_seq`),
      found: ended(sql.part`p.receipt_seq`),
    },
    {
      what: 'its receipt is not one of the service about its agent and its withdrawal_id',
      expected: sql.part`'custody, ' || lower(hex(a.subject_commitment)) || ', withdrawal:' || ${ID}`,
      found: sql.part`CASE WHEN s.receipt_seq IS NOT NULL
        THEN r.receipt_type || ', ' || r.agent_id || ', ' || r.authority_scope END`,
    },
    {
      what: 'address is not the custodial wallet of its agent',
      expected: sql.part`coalesce(w.address, 'a wallet')`,
      found: sql.part`p.address`,
    },
  ],
);

/** How many transactions each payout has. */
const attempts = derived({
  table: 'payout',
  key: ['payout_seq'],
  columns: { attempts: 'attempts is not the number of its transactions' },
  derives: 'columns',
  query: sql.part`SELECT p.payout_seq,
      (SELECT count(*) FROM payout_transaction t WHERE t.payout_seq = p.payout_seq) AS attempts
    FROM payout p`,
});

/** Parts that are not paid, each with the movement that returned its credits. */
const otherCuts = wrongValues(
  'payout_cut',
  ['cut_seq'],
  {
    with: transactions('ending', 'debit'),
    from: sql.part`payout_cut p LEFT JOIN payout o USING (payout_seq)
      LEFT JOIN ending n USING (transaction_id)`,
  },
  [
    {
      what: 'the movement that returned its credits is not an UNLOCK of its withdrawal',
      expected: sql.part`'UNLOCK, agent ' || o.agent_seq || ', locked ' || o.agent_seq || ', '
        || 'wdr_' || lower(hex(o.withdrawal_id)) || ', ' || ${AMOUNTS}`,
      found: sql.part`n.kind || ', ' || n.creditor || ', ' || n.debtor || ', ' || n.reference
        || ', ' || n.amounts`,
    },
  ],
);

/** Payouts are never deleted. */
const missingPayouts = numberingCheck(
  'payout',
  'payout_seq',
  'rows before it are missing: the number of rows is not its number',
);

/** The checks of payouts against the ledger, their receipts, their transactions and their numbers. */
export const payoutChecks = [attempts, otherPayouts, missingPayouts];

/** The checks of the parts of payouts that are not paid. */
export const cutChecks = [otherCuts];
