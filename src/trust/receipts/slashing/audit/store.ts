import { wrongRows } from '../../../../platform/audit/counts.ts';
import type { Snapshot } from '../../../../platform/store/transaction.ts';
import type { Problem } from '../../../../proof/log/problem.ts';

/** Entries for which no version of a receipt of the operator was finalized with the tranche at this time. */
const WITHOUT_FAILURE = `
  SELECT s.receipt_seq, 1 AS expected, NULL AS found
  FROM slash s JOIN receipt r USING (receipt_seq)
  WHERE r.operator_seq <> s.operator_seq OR NOT EXISTS (
    SELECT 1 FROM receipt_version v
    WHERE v.receipt_seq = s.receipt_seq AND v.error_tranche = s.tranche AND v.revocation_status = 'active'
      AND v.signed_at = s.created_at
  )
  LIMIT 100`;

/** Entries that state another amount, or another stake after it, than the movement of their receipt. */
const OTHER_AMOUNT = `
  SELECT s.receipt_seq, coalesce(sum(m.amount), 0) AS expected, s.amount_cents AS found
  FROM slash s LEFT JOIN movement m ON m.receipt_seq = s.receipt_seq AND m.kind = 'SLASH' AND m.asset = 'cents'
    AND m.debit_kind = 'stake' AND m.debit_owner = s.operator_seq AND m.credit_kind = 'slashed'
  GROUP BY s.slash_seq
  HAVING expected <> found OR max(m.debit_after) <> s.stake_before_cents - s.amount_cents
  LIMIT 100`;

/** Movements that took from stakes and have no entry in the slashing ledger. */
const UNSTATED = `
  SELECT m.movement_seq, m.amount AS expected, NULL AS found
  FROM movement m LEFT JOIN slash s USING (receipt_seq)
  WHERE m.credit_kind = 'slashed' AND m.credit_owner = 0 AND s.slash_seq IS NULL LIMIT 100`;

/** A gap in the numbers of entries: they count up from 1, and no entry is ever deleted. */
const GAP = `
  SELECT max(slash_seq) AS slash_seq, max(slash_seq) AS expected, count(*) AS found FROM slash HAVING expected <> found`;

/**
 * Returns up to 100 problems of each kind: entries without a failed receipt or with a wrong amount, and
 * movements without an entry. Returns one if entries are missing.
 */
export async function wrongSlashes(snapshot: Snapshot): Promise<Problem[]> {
  const wrong = (what: string, sql: string) => wrongRows(snapshot, 'slash', what, sql);
  return [
    ...(await wrong('no receipt of the operator was finalized with this tranche', WITHOUT_FAILURE)),
    ...(await wrong('the ledger took another amount of the stake', OTHER_AMOUNT)),
    ...(await wrong('the movement has no entry', UNSTATED)),
    ...(await wrong('entries are missing: their numbers have gaps', GAP)),
  ];
}
