import { type Count, wrongCounts, wrongRows } from '../../../../platform/audit/counts.ts';
import type { Snapshot } from '../../../../platform/store/transaction.ts';
import type { Problem } from '../../../../proof/log/problem.ts';

/**
 * The movements of a ledger transaction as one row.
 * @param side the account that is an agent's locked credits
 */
const transactions = (name: string, side: 'debit' | 'credit'): string => `
  ${name} AS MATERIALIZED (
    SELECT transaction_id, min(kind) AS kind, min(reference) AS reference, min(created_at) AS at,
      min(debit_kind) || ' ' || min(debit_owner) AS debtor, min(credit_kind) || ' ' || min(credit_owner) AS creditor,
      min(receipt_seq) AS receipt_seq, group_concat(asset || ' ' || amount, ', ' ORDER BY ordinal) AS amounts
    FROM movement WHERE ${side}_kind = 'locked' GROUP BY transaction_id
  )`;

/** The time that may lie between two readings of the clock in one transaction, in milliseconds. */
const SAME_TIME_MS = 60_000;

/** What every payout must share with the movements, the receipt and the transactions of its state. */
const PAYOUT = `payout p
  LEFT JOIN locking l ON l.transaction_id = p.lock_transaction_id
  LEFT JOIN ending n ON n.transaction_id = p.end_transaction_id
  LEFT JOIN agent a ON a.agent_seq = p.agent_seq
  LEFT JOIN custodial_wallet w ON w.owner_kind = 'agent' AND w.owner_seq = p.agent_seq
  LEFT JOIN receipt r ON r.receipt_seq = p.receipt_seq
  LEFT JOIN service_receipt s ON s.receipt_seq = p.receipt_seq`;

const ID = "'wdr_' || lower(hex(p.withdrawal_id))";
const AMOUNTS = "'paid ' || p.amount";
const ended = (value: string): string => `iif(p.status IN ('confirmed', 'failed'), ${value}, NULL)`;
const near = (left: string, right: string): string => `abs(${left} - ${right}) <= ${SAME_TIME_MS}`;

const CHECKS: readonly Count[] = [
  {
    what: 'status is none of its states',
    expected: "iif(p.status IN ('queued', 'submitted', 'confirmed', 'failed'), p.status, 'a status')",
    found: 'p.status',
  },
  {
    what: 'the movement that reserved its credits is not a LOCK of its agent with its withdrawal_id',
    expected: `'LOCK, agent ' || p.agent_seq || ', locked ' || p.agent_seq || ', ' || ${ID}`,
    found: "l.kind || ', ' || l.debtor || ', ' || l.creditor || ', ' || l.reference",
  },
  { what: 'the reserved credits are not its own, all paid', expected: AMOUNTS, found: 'l.amounts' },
  {
    what: 'created_at is not the time of its LOCK',
    expected: 'l.at',
    found: `iif(${near('p.created_at', 'l.at')}, l.at, p.created_at)`,
  },
  {
    what: 'the movement that ended it is not that of its status, of its agent, with its withdrawal_id',
    expected: ended(
      `iif(p.status = 'confirmed', 'WITHDRAWAL, issuance 0', 'UNLOCK, agent ' || p.agent_seq) || ', locked ' || p.agent_seq || ', ' || ${ID}`,
    ),
    found: "n.kind || ', ' || n.creditor || ', ' || n.debtor || ', ' || n.reference",
  },
  {
    what: 'the amount of the movement that ended it is not its own',
    expected: ended(AMOUNTS),
    found: 'n.amounts',
  },
  {
    what: 'updated_at is not the time at which it ended',
    expected: ended('n.at'),
    found: ended(`iif(${near('p.updated_at', 'n.at')}, n.at, p.updated_at)`),
  },
  {
    what: 'receipt_seq is not the receipt of the movement that ended it',
    expected: ended('n.receipt_seq'),
    found: ended('p.receipt_seq'),
  },
  {
    what: 'its receipt is not one of the service about its agent and its withdrawal_id',
    expected: `'custody, ' || lower(hex(a.subject_commitment)) || ', withdrawal:' || ${ID}`,
    found:
      "iif(s.receipt_seq IS NULL, NULL, r.receipt_type || ', ' || r.agent_id || ', ' || r.authority_scope)",
  },
  {
    what: 'address is not the custodial wallet of its agent',
    expected: "coalesce(w.address, 'a wallet')",
    found: 'p.address',
  },
  {
    what: 'attempts is not the number of its transactions',
    expected: '(SELECT count(*) FROM payout_transaction t WHERE t.payout_seq = p.payout_seq)',
    found: 'p.attempts',
  },
];

/**
 * Returns up to 100 payouts that differ from the movements, the receipt or the transactions of their state.
 */
export function wrongPayouts(snapshot: Snapshot): Promise<Problem[]> {
  const common = `${transactions('locking', 'credit')}, ${transactions('ending', 'debit')}`;
  return wrongCounts(snapshot, 'payout', ['payout_seq'], { common, from: PAYOUT }, CHECKS);
}

/** Missing numbers: payouts are never deleted. */
const GAPS = `
  SELECT max(payout_seq) AS payout_seq, max(payout_seq) AS expected, count(*) AS found FROM payout HAVING max(payout_seq) <> count(*)`;

/** Returns a problem if payouts are missing. */
export function missingPayouts(snapshot: Snapshot): Promise<Problem[]> {
  const what = 'rows before it are missing: the number of rows is not its number';
  return wrongRows(snapshot, 'payout', what, GAPS);
}
