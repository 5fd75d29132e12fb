import { receipt, receiptVersion } from '../../../../../db/trust/receipts.ts';
import { derived } from '../../../../platform/audit/derived.ts';
import { sqlOf } from '../../../../platform/store/sql.ts';

const sql = sqlOf({ receipt, receiptVersion });

const MS = (time: 'signed_at' | 'issued_at') =>
  sql.verbatim(`CAST(round(unixepoch(${time}, 'subsec') * 1000) AS INTEGER)`);

/**
 * The finalized receipts but for revoked successes, a breach by the time of its finalization and the others
 * by that of their issue, and the receipts that were revoked while they were pending. The version that
 * decides is the first that is finalized, or the one that revoked a pending receipt. Those of the service
 * itself do not count.
 */
export const outcomes = derived({
  table: 'gate_outcome',
  key: ['operator_seq', 'domain', 'blind', 'abandoned', 'counted_at', 'receipt_seq'],
  columns: { breach: 'it is not what a finalized receipt, or one revoked while pending, says' },
  derives: 'rows',
  query: sql.part`SELECT operator_seq, domain, domain_commitment IS NOT NULL AS blind,
      r.status = 'pending' AS abandoned,
      CASE WHEN r.status = 'pending' THEN min(${MS('signed_at')}, lapses_at)
        WHEN error_tranche = 'SLA_BREACH' THEN ${MS('signed_at')} ELSE ${MS('issued_at')} END AS counted_at,
      r.receipt_seq, coalesce(error_tranche = 'SLA_BREACH', 0) AS breach
    FROM receipt r JOIN receipt_version v ON v.receipt_seq = r.receipt_seq
      AND v.version = iif(r.revocation_status = 'revoked' AND r.status <> 'pending', r.version - 1, r.version)
    WHERE iif(r.status = 'pending', r.revocation_status = 'revoked',
        r.revocation_status = 'active' OR r.status <> 'success')
      AND (r.status <> 'pending' OR NOT EXISTS (SELECT 1 FROM receipt_leaf l WHERE l.receipt_seq = r.receipt_seq))
      AND NOT EXISTS (SELECT 1 FROM service_receipt s WHERE s.receipt_seq = r.receipt_seq)`,
});
