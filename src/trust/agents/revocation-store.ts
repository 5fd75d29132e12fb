import { agent, agentRevocationLeaf } from '../../../db/trust/agents.ts';
import { sqlOf } from '../../platform/store/sql.ts';
import type { Transaction } from '../../platform/store/transaction.ts';

const sql = sqlOf({ agent, agentRevocationLeaf });

const insertLeaf = sql.insertReturning(agentRevocationLeaf, ['leafSeq'], { without: ['leafSeq'] });

/** Revokes an agent. @returns the changed agent; null for one that was already revoked */
export const updateRevoked = sql.returning(agent)`
  UPDATE agent SET state = 'REVOKED', revoked_at = ${'revokedAt'}, revocation_reason = ${'revocationReason?'}
  WHERE agent_seq = ${'agentSeq'} AND state = 'ISSUED'`;

/** Stores the leaf of a revoked agent. @returns its leaf_seq. @throws DuplicateRow if the agent has one */
export async function insertRevocationLeaf(
  tx: Transaction,
  leaf: Omit<typeof agentRevocationLeaf.$inferSelect, 'leafSeq'>,
): Promise<number> {
  return (await insertLeaf(tx, leaf)).leafSeq;
}

/** Returns whether the log has the revocation of an agent that a restored database lacks. */
export const isLostAgent = sql.exists(
  agentRevocationLeaf,
)`WHERE lost_agent = ${'commitment:lostAgent'} LIMIT 1`;
