import { packageCitation } from '../../../../db/trust/packages.ts';
import { sqlOf } from '../../../platform/store/sql.ts';
import { runQuery, type Transaction } from '../../../platform/store/transaction.ts';

const sql = sqlOf({ packageCitation });

const insertCitation = sql.insert(packageCitation, { end: 'ON CONFLICT DO NOTHING' });

/** Records that packages cite checkpoints, which are then never deleted. Ignores those already recorded. */
export function insertCitations(tx: Transaction, checkpointSeqs: readonly number[]): Promise<void> {
  return runQuery(tx, (connection) => {
    for (const checkpointSeq of checkpointSeqs) insertCitation.on(connection, { checkpointSeq });
  });
}
