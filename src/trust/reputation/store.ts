import { eq, sql } from 'drizzle-orm';
import { agentStanding } from '../../../db/trust/reputation.ts';
import { bound } from '../../platform/store/columns.ts';
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
  byAgent: orm
    .select()
    .from(agentStanding)
    .where(eq(agentStanding.agentSeq, bound(agentStanding.agentSeq, 'agentSeq')))
    .prepare(),
  countEvidence: orm
    .update(agentStanding)
    .set({
      evidenceCount: sql`${agentStanding.evidenceCount} + 1`,
      artifactCount: sql`${agentStanding.artifactCount} + ${$('artifacts')}`,
      failureCount: sql`${agentStanding.failureCount} + ${$('failures')}`,
      firstObservedAt: sql`coalesce(${agentStanding.firstObservedAt}, ${$('at')})`,
      lastObservedAt: sql`${$('at')}`,
      lastEventHash: sql`${sql.param($('eventHash'), agentStanding.lastEventHash)}`,
    })
    .where(eq(agentStanding.agentSeq, bound(agentStanding.agentSeq, 'agentSeq')))
    .prepare(),
}));
