import { runQuery, type Snapshot } from '../../../platform/store/transaction.ts';
import type { Problem } from '../../../proof/log/problem.ts';

/** The revoked agents whose revocation is not in the log. */
const UNLOGGED = `
  SELECT agent_seq AS agentSeq, lower(hex(a.subject_commitment)) AS commitment
  FROM agent a LEFT JOIN revocation_leaf l USING (agent_seq)
  WHERE a.state = 'REVOKED' AND l.leaf_seq IS NULL LIMIT 100`;

/**
 * Returns a problem for each revoked agent without a leaf, for at most 100. The audit of the log compares the
 * leaves with their agents.
 */
export async function unloggedRevocations(snapshot: Snapshot): Promise<Problem[]> {
  const rows = await runQuery(snapshot, ({ sqlite }) =>
    sqlite.query<{ agentSeq: number; commitment: string }, []>(UNLOGGED).all(),
  );
  return rows.map(({ agentSeq, commitment }) => ({
    table: 'agent',
    row: { agent_seq: agentSeq },
    id: commitment,
    what: 'it is revoked, and revocation_leaf has no leaf for it',
  }));
}
