import { agent } from '../../../../db/trust/agents.ts';
import { sqlOf } from '../../../platform/store/sql.ts';
import type { Snapshot } from '../../../platform/store/transaction.ts';
import type { Problem } from '../../../proof/log/problem.ts';

const sql = sqlOf({ agent });

/** The revoked agents whose revocation is not in the log. */
const unlogged = sql.joined({ agentSeq: agent.agentSeq, commitment: agent.subjectCommitment }).rows`
  FROM agent LEFT JOIN revocation_leaf USING (agent_seq)
  WHERE state = 'REVOKED' AND leaf_seq IS NULL LIMIT 100`;

/**
 * Returns a problem for each revoked agent without a leaf, for at most 100. The audit of the log compares the
 * leaves with their agents.
 */
export async function unloggedRevocations(snapshot: Snapshot): Promise<Problem[]> {
  return (await unlogged(snapshot)).map(({ agentSeq, commitment }) => ({
    table: 'agent',
    row: { agent_seq: agentSeq },
    id: commitment,
    what: 'it is revoked, and revocation_leaf has no leaf for it',
  }));
}
