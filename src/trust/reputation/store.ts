import { sql } from 'drizzle-orm';
import { agentStanding } from '../../../db/trust/reputation.ts';
import { statements } from '../../platform/store/transaction.ts';

const $ = sql.placeholder;

/** The SQL of what is counted of agents' work. */
export const reputationSql = statements((orm) => ({
  begin: orm
    .insert(agentStanding)
    .values({
      agentSeq: $('agentSeq'),
      listed: true,
      evidenceCount: 0,
      artifactCount: 0,
      receiptCount: 0,
      failureCount: 0,
      reputation: 'normal',
      milestone: 0,
    })
    .prepare(),
}));
