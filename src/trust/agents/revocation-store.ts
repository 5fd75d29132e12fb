import { and, eq, sql } from 'drizzle-orm';
import { agent, agentRevocationLeaf } from '../../../db/trust/agents.ts';
import { bound, everyColumn } from '../../platform/store/columns.ts';
import { type Snapshot, statements, type Transaction } from '../../platform/store/transaction.ts';
import type { AgentRow } from './store.ts';

const $ = sql.placeholder;

const query = statements((orm) => ({
  revoke: () =>
    orm
      .update(agent)
      .set({
        state: sql`'REVOKED'`,
        revokedAt: sql`${$('revokedAt')}`,
        revocationReason: sql`${$('revocationReason')}`,
      })
      .where(and(eq(agent.agentSeq, bound(agent.agentSeq, 'agentSeq')), sql`${agent.state} = 'ISSUED'`))
      .returning()
      .prepare(),
  insertLeaf: () =>
    orm
      .insert(agentRevocationLeaf)
      .values(everyColumn(agentRevocationLeaf, ['leafSeq']))
      .returning({ leafSeq: agentRevocationLeaf.leafSeq })
      .prepare(),
  lostAgent: () =>
    orm
      .select({ leafSeq: agentRevocationLeaf.leafSeq })
      .from(agentRevocationLeaf)
      .where(eq(agentRevocationLeaf.lostAgent, bound(agentRevocationLeaf.lostAgent, 'commitment')))
      .limit(1)
      .prepare(),
}));

/** Revokes an agent. @returns the changed agent; null for one that was already revoked */
export function updateRevoked(
  tx: Transaction,
  agentSeq: number,
  revokedAt: string,
  revocationReason: string | null,
): Promise<AgentRow | null> {
  return query(tx, (sql) => sql.revoke.get({ agentSeq, revokedAt, revocationReason }) ?? null);
}

/** Stores the leaf of a revoked agent. @returns its leaf_seq. @throws DuplicateRow if the agent has one */
export function insertRevocationLeaf(
  tx: Transaction,
  leaf: Omit<typeof agentRevocationLeaf.$inferSelect, 'leafSeq'>,
): Promise<number> {
  return query(tx, (sql) => sql.insertLeaf.get(leaf).leafSeq);
}

/** Returns whether the log has the revocation of an agent that a restored database lacks. */
export function isLostAgent(snapshot: Snapshot, commitment: string): Promise<boolean> {
  return query(snapshot, (sql) => sql.lostAgent.get({ commitment }) !== undefined);
}
