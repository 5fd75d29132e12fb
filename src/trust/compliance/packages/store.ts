import { packageCitation } from '../../../../db/trust/packages.ts';
import { everyColumn } from '../../../platform/store/columns.ts';
import { statements, type Transaction } from '../../../platform/store/transaction.ts';

const query = statements((orm) => ({
  insert: () =>
    orm.insert(packageCitation).values(everyColumn(packageCitation)).onConflictDoNothing().prepare(),
}));

/** Records that packages cite checkpoints, which are then never deleted. Ignores those already recorded. */
export function insertCitations(tx: Transaction, checkpointSeqs: readonly number[]): Promise<void> {
  return query(tx, (sql) => {
    for (const checkpointSeq of checkpointSeqs) sql.insert.run({ checkpointSeq });
  });
}
