import { wrongRows } from '../../../platform/audit/counts.ts';
import type { Snapshot } from '../../../platform/store/transaction.ts';
import type { Problem } from '../../../proof/log/problem.ts';

/** Returns up to 100 API keys without a number of their operator. Receipts name the number of their key. */
export function unnumberedKeys(snapshot: Snapshot): Promise<Problem[]> {
  return wrongRows(
    snapshot,
    'api_key_number',
    'operator_seq is not the operator of the key',
    `SELECT lower(hex(k.key_hash)) AS key_hash, k.operator_seq AS expected, NULL AS found
     FROM api_key k LEFT JOIN api_key_number n ON n.key_hash = k.key_hash AND n.operator_seq = k.operator_seq
     WHERE n.api_key_seq IS NULL LIMIT 100`,
  );
}
