import { slash } from '../../../../../db/trust/slashing.ts';
import { numberingCheck, wrongRows } from '../../../../platform/audit/counts.ts';
import { sqlOf } from '../../../../platform/store/sql.ts';

const sql = sqlOf({ slash });

/** Entries for which no version of a receipt of the operator was finalized with the tranche at this time. */
const withoutFailure = wrongRows(
  'slash',
  'no receipt of the operator was finalized with this tranche',
  sql.reported()`SELECT s.receipt_seq, 1 AS expected, NULL AS found
    FROM slash s JOIN receipt r USING (receipt_seq)
    WHERE r.operator_seq <> s.operator_seq OR NOT EXISTS (
      SELECT 1 FROM receipt_version v
      WHERE v.receipt_seq = s.receipt_seq AND v.error_tranche = s.tranche AND v.revocation_status = 'active'
        AND v.signed_at = s.created_at
    )
    LIMIT 100`,
);

/** Entries that state another amount, or another stake after it, than the movement of their receipt. */
const otherAmount = wrongRows(
  'slash',
  'the ledger took another amount of the stake',
  sql.reported()`SELECT s.receipt_seq, coalesce(sum(m.amount), 0) AS expected, s.amount_cents AS found
    FROM slash s LEFT JOIN movement m ON m.receipt_seq = s.receipt_seq AND m.kind = 'SLASH'
      AND m.asset = 'cents' AND m.debit_kind = 'stake' AND m.debit_owner = s.operator_seq
      AND m.credit_kind = 'slashed'
    GROUP BY s.slash_seq
    HAVING coalesce(sum(m.amount), 0) <> s.amount_cents
      OR max(m.debit_after) <> s.stake_before_cents - s.amount_cents
    LIMIT 100`,
);

/** Movements that took from stakes and have no entry in the slashing ledger. */
const unstated = wrongRows(
  'slash',
  'the movement has no entry',
  sql.reported()`SELECT m.movement_seq, m.amount AS expected, NULL AS found
    FROM movement m LEFT JOIN slash s USING (receipt_seq)
    WHERE m.credit_kind = 'slashed' AND m.credit_owner = 0 AND s.slash_seq IS NULL LIMIT 100`,
);

/** The numbers of entries count up from 1, and no entry is ever deleted. */
const missingEntries = numberingCheck('slash', 'slash_seq', 'entries are missing: their numbers have gaps');

/** The checks of the slashing ledger against receipts and movements. Each finds at most 100. */
export const slashChecks = [withoutFailure, otherAmount, unstated, missingEntries];
