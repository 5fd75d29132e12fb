import { receipt, receiptVersion } from '../../../../../db/trust/receipts.ts';
import { derived } from '../../../../platform/audit/derived.ts';
import { sqlOf } from '../../../../platform/store/sql.ts';

const sql = sqlOf({ receipt, receiptVersion });

/**
 * The finalized receipts that are not revoked, with the time and the breach of the finalized version: the
 * newest one, since revoking adds a version. Those of the service itself do not count.
 */
export const finalizations = derived({
  table: 'gate_finalization',
  key: ['operator_seq', 'domain', 'blind', 'finalized_at', 'receipt_seq'],
  columns: { breach: 'it is not what the finalized version of a receipt says that is not revoked' },
  derives: 'rows',
  query: sql.part`SELECT r.operator_seq, r.domain, r.domain_commitment IS NOT NULL AS blind,
      CAST(round(unixepoch(v.signed_at, 'subsec') * 1000) AS INTEGER) AS finalized_at, r.receipt_seq,
      v.error_tranche = 'SLA_BREACH' AS breach
    FROM receipt r JOIN receipt_version v ON v.receipt_seq = r.receipt_seq AND v.version = r.version
    WHERE r.status <> 'pending' AND r.revocation_status = 'active'
      AND NOT EXISTS (SELECT 1 FROM service_receipt s WHERE s.receipt_seq = r.receipt_seq)`,
});
