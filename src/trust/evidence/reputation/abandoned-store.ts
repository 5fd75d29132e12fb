import { agentSponsor } from '../../../../db/trust/agents.ts';
import { receipt, receiptLeaf } from '../../../../db/trust/receipts.ts';
import { sqlOf } from '../../../platform/store/sql.ts';
import type { Snapshot } from '../../../platform/store/transaction.ts';

const sql = sqlOf({ agentSponsor, receipt, receiptLeaf });

/** Receipts of an agent that are counted at most. Beyond them it is known what to think. */
const MOST = 5000;

/** The pending receipts of an agent by its sponsors, each up to the time when it lost the agent. */
const OF_AGENT = sql.part`
  FROM agent_sponsor CROSS JOIN receipt INDEXED BY receipt_lapsing_by_agent
    ON receipt.operator_seq = agent_sponsor.operator_seq
  WHERE agent_seq = ${'agentSeq'} AND agent_id = ${'agentId'} AND length(agent_id) = 64 AND status = 'pending'
    AND (until IS NULL OR issued_at <= until)
    AND NOT EXISTS (SELECT 1 FROM receipt_leaf WHERE receipt_leaf.receipt_seq = receipt.receipt_seq)`;

const counts = sql.value(sql.number`count(*)`)`FROM (
  SELECT 1 FROM (SELECT 1 ${OF_AGENT} AND revocation_status = 'active'
    AND lapses_at > ${'since:number'} AND lapses_at <= ${'now:number'} LIMIT ${'limit'})
  UNION ALL
  SELECT 1 FROM (SELECT 1 ${OF_AGENT} AND revocation_status = 'revoked'
    AND lapses_at > ${'since:number'} LIMIT ${'limit'}))`;

/**
 * Returns how many receipts of an agent were abandoned in a time, at most 10,000: pending for 30 days or past
 * their expiry in it, or revoked while pending, unless they would have lapsed before it. A restored database
 * may lack a finalization that its log has: such a receipt is not abandoned.
 * @param period milliseconds since 1970, `since` exclusive
 */
export async function abandonedReceipts(
  snapshot: Snapshot,
  { agentSeq, subjectCommitment: agentId }: { agentSeq: number; subjectCommitment: string },
  period: { since: number; now: number },
): Promise<number> {
  return (await counts(snapshot, { agentSeq, agentId, ...period, limit: MOST })) ?? 0;
}
