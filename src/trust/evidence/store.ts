import { desc, eq, sql } from 'drizzle-orm';
import { evidence } from '../../../db/trust/evidence.ts';
import { bound } from '../../platform/store/columns.ts';
import { statements } from '../../platform/store/transaction.ts';

/** The SQL of evidence. */
export const evidenceSql = statements((orm) => ({
  timeline: orm
    .select({
      event_commitment_hash: evidence.eventHash,
      source_type: evidence.sourceType,
      outcome: evidence.outcome,
      created_at: evidence.createdAt,
    })
    .from(evidence)
    // A LIMIT of drizzle's is a parameter, for which SQLite prepares the statement anew each time.
    .where(
      sql`${eq(evidence.agentSeq, bound(evidence.agentSeq, 'agentSeq'))} ORDER BY ${desc(evidence.position)} LIMIT +${sql.placeholder('rows')}`,
    )
    .prepare(),
}));
