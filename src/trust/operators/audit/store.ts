import { apiKey, apiKeyNumber } from '../../../../db/trust/operators.ts';
import { wrongRows } from '../../../platform/audit/counts.ts';
import { sqlOf } from '../../../platform/store/sql.ts';

const sql = sqlOf({ apiKey, apiKeyNumber });

/** Finds up to 100 API keys without a number of their operator. Receipts name the number of their key. */
export const unnumberedKeys = wrongRows(
  'api_key_number',
  'operator_seq is not the operator of the key',
  sql.reported()`SELECT k.key_hash, k.operator_seq AS expected, NULL AS found
    FROM api_key k LEFT JOIN api_key_number n ON n.key_hash = k.key_hash AND n.operator_seq = k.operator_seq
    WHERE n.api_key_seq IS NULL LIMIT 100`,
);
