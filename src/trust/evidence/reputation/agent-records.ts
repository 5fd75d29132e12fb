import type { AgentRecords } from '../../agents/agent-records.ts';
import { chainHeadIn } from './count.ts';
import { insertCounts, setUnlisted } from './store.ts';

/** The counters of agents, their position on the leaderboard and the chains of their evidence. */
export const reputationRecords: AgentRecords = {
  async agentCreatedIn(tx, agentSeq) {
    await insertCounts(tx, { agentSeq });
  },
  async agentRevokedIn(tx, agentSeq) {
    await setUnlisted(tx, agentSeq);
  },
  evidenceChainIn: chainHeadIn,
};
