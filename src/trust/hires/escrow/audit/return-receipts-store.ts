import { returnReceipt, returnReceiptStart } from '../../../../../db/trust/escrow.ts';
import { wrongRows } from '../../../../platform/audit/counts.ts';
import { sqlOf } from '../../../../platform/store/sql.ts';

const sql = sqlOf({ returnReceipt, returnReceiptStart });

/** Returned credits whose receipt is not even owed, and receipts of credits that did not return. */
const withoutReturnReceipt = wrongRows(
  'escrow',
  'a receipt of returned credits is missing, or there is one although none returned',
  sql.reported()`SELECT e.escrow_seq, iif(e.end_transaction_id IS NOT NULL AND (e.receipt_seq IS NULL
      OR e.return_transaction_id IS NOT NULL), 'a receipt', 'none') AS expected, iif(x.escrow_seq IS NULL, 'none', 'a receipt') AS found
    FROM escrow e LEFT JOIN return_receipt x USING (escrow_seq)
    WHERE expected <> found AND (x.escrow_seq IS NOT NULL OR (SELECT min(m.movement_seq) FROM movement m
      WHERE m.transaction_id = coalesce(e.return_transaction_id, e.end_transaction_id))
      > coalesce((SELECT movement_seq FROM return_receipt_start), 0)) LIMIT 100`,
);

/** Receipts of returned credits that say something else than their escrow. */
const otherReturnReceipts = wrongRows(
  'escrow',
  'its receipt of returned credits is not one of the service about its hirer, its task, its digest and its end',
  sql.reported()`SELECT x.escrow_seq, lower(hex(h.subject_commitment)) || ', engagement:' || e.task_id || ', '
        || lower(hex(e.input_digest)) || ', null, ' || e.status || ' by ' || e.ended_by || ': '
        || (e.amount - coalesce(e.worker_amount, 0)) || iif(coalesce(e.worker_amount, 0) = 0, '', ' of ' || e.amount)
        || iif(e.amount = 1, ' credit returned', ' credits returned') AS expected,
      r.agent_id || ', ' || r.authority_scope || ', ' || lower(hex(r.input_digest)) || ', ' || v.status || ', ' || v.reason AS found
    FROM return_receipt x JOIN escrow e USING (escrow_seq) JOIN agent h ON h.agent_seq = e.hirer_seq
    LEFT JOIN service_receipt s ON s.receipt_seq = x.receipt_seq
    LEFT JOIN receipt r ON r.receipt_seq = s.receipt_seq
    LEFT JOIN receipt_version v ON v.receipt_seq = s.receipt_seq AND v.version = 2
    WHERE x.receipt_seq IS NOT NULL AND expected IS NOT found LIMIT 100`,
);

/** The checks of the receipts about credits that returned. */
export const returnReceiptChecks = [withoutReturnReceipt, otherReturnReceipts];
