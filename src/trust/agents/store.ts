import { eq, sql } from 'drizzle-orm';
import { agent } from '../../../db/trust/agents.ts';
import { bound } from '../../platform/store/columns.ts';
import { statements } from '../../platform/store/transaction.ts';

const $ = sql.placeholder;

/** The SQL of agents. */
export const agentSql = statements((orm) => ({
  byCommitment: orm
    .select()
    .from(agent)
    .where(eq(agent.subjectCommitment, bound(agent.subjectCommitment, 'subjectCommitment')))
    .prepare(),
  insert: orm
    .insert(agent)
    .values({
      subjectCommitment: $('subjectCommitment'),
      publicKey: $('publicKey'),
      context: $('context'),
      name: $('name'),
      passportId: $('passportId'),
      state: 'ISSUED',
      sponsorSeq: $('sponsorSeq'),
      issuedAt: $('issuedAt'),
    })
    .returning()
    .prepare(),
}));

export type AgentRow = typeof agent.$inferSelect;
