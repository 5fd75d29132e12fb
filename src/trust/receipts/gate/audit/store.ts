import { wrongRows } from '../../../../platform/audit/counts.ts';
import type { Snapshot } from '../../../../platform/store/transaction.ts';
import type { Problem } from '../../../../proof/log/problem.ts';

/** Whether the service issued the receipt `r` itself. The gate does not count these. */
const IS_OF_SERVICE = 'EXISTS (SELECT 1 FROM service_receipt s WHERE s.receipt_seq = r.receipt_seq)';

/**
 * Finalized receipts of operators that are not revoked and have no matching row in gate_finalization: same
 * time as the signed version, same breach. The newest version of a receipt in this state is its finalized
 * version, since revoking adds a version.
 */
const FINALIZATIONS = `
  SELECT r.receipt_seq, 1 AS expected, NULL AS found
  FROM receipt r JOIN receipt_version v ON v.receipt_seq = r.receipt_seq AND v.version = r.version
    LEFT JOIN gate_finalization g ON g.operator_seq = r.operator_seq AND g.domain = r.domain
      AND g.blind = (r.domain_commitment IS NOT NULL)
      AND g.finalized_at = CAST(round(unixepoch(v.signed_at, 'subsec') * 1000) AS INTEGER)
      AND g.receipt_seq = r.receipt_seq AND g.breach = (v.error_tranche = 'SLA_BREACH')
  WHERE r.status <> 'pending' AND r.revocation_status = 'active' AND g.receipt_seq IS NULL
    AND NOT ${IS_OF_SERVICE}
  LIMIT 100`;

/** Rows without a matching receipt. If FINALIZATIONS finds nothing, they need more rows than receipts. */
const SURPLUS = `
  SELECT g.receipt_seq, 0 AS expected, 1 AS found
  FROM gate_finalization g LEFT JOIN receipt r USING (receipt_seq)
    LEFT JOIN receipt_version v ON v.receipt_seq = r.receipt_seq AND v.version = r.version
  WHERE (SELECT count(*) FROM gate_finalization) IS NOT (
      SELECT coalesce(sum(receipts), 0) FROM receipt_count WHERE status <> 'pending' AND revocation_status = 'active'
    ) - (SELECT count(*) FROM service_receipt JOIN receipt USING (receipt_seq) WHERE revocation_status = 'active')
    AND (
      ${IS_OF_SERVICE} OR r.operator_seq IS NOT g.operator_seq OR r.domain IS NOT g.domain
      OR (r.domain_commitment IS NOT NULL) IS NOT g.blind
      OR r.status = 'pending' OR r.revocation_status IS NOT 'active'
      OR CAST(round(unixepoch(v.signed_at, 'subsec') * 1000) AS INTEGER) IS NOT g.finalized_at
    )
  LIMIT 100`;

/** Returns up to 100 problems each of missing or wrong rows, and of rows without a finalized receipt. */
export async function wrongFinalizations(snapshot: Snapshot): Promise<Problem[]> {
  const table = 'gate_finalization';
  return [
    ...(await wrongRows(
      snapshot,
      table,
      'the finalized version of the receipt has no matching row',
      FINALIZATIONS,
    )),
    ...(await wrongRows(
      snapshot,
      table,
      'there is no finalized receipt for it that is not revoked',
      SURPLUS,
    )),
  ];
}
