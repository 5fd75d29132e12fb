import type { Snapshot } from '../../platform/store/transaction.ts';
import type { AgentRow } from '../agents/agents.ts';
import { performanceOf } from '../evidence/reputation/performance.ts';

/**
 * Returns what a credential says about an agent, without its DID, the time and the checkpoints.
 * @param now milliseconds since 1970
 */
export async function metricsOf(snapshot: Snapshot, agent: AgentRow, now: number) {
  const performance = await performanceOf(snapshot, agent, now);
  const { totals, rolling_30d, score, score_corroborated, score_basis } = performance;
  const { first_observed_at, last_observed_at } = performance;
  const { evidence_count, artifact_count, failure_count, receipts_count } = totals;
  const { success_rate, failure_rate, sample_size } = rolling_30d;
  return {
    agent_commitment_hash: agent.subjectCommitment,
    totals: { evidence_count, artifact_count, failure_count },
    rolling_30d: { success_rate, failure_rate },
    score,
    score_corroborated,
    score_basis,
    sample_size,
    first_observed_at,
    last_observed_at,
    receipts_count,
  };
}
