import { timestamp } from '../../../platform/time/clock.ts';
import { requireAgentIn } from '../../agents/agents.ts';
import { commonErrors } from '../../http/errors.ts';
import { publicFigures } from '../balances.ts';
import { chainOf, walletOf } from '../wallets/wallets.ts';
import { accessTierIn, tierView } from './access-tier.ts';
import { newestEntries } from './journal-page.ts';
import { type LiveContext, liveView } from './live-view.ts';

/** The number of journal entries that governance shows. */
const NEWEST = 20;

/**
 * Returns an agent's wallet, live state, tier and newest journal entries as of one moment, for strangers.
 * @throws ApiError not_found for an agent that never enrolled, and for one whose journal is empty
 */
export async function getGovernance({ store, clock, policy }: LiveContext, commitment: string) {
  const asOf = timestamp(clock);
  return store.read(async (snapshot) => {
    const agent = await requireAgentIn(snapshot, commitment);
    const entries = await newestEntries(snapshot, agent, NEWEST);
    if (entries.length === 0) {
      throw commonErrors.not_found({
        message: 'The agent never had credits, so it has no account. Grant or transfer credits to it first.',
      });
    }
    const figures = await publicFigures(snapshot, agent.agentSeq);
    const tier = await accessTierIn(snapshot, { policy }, agent, figures);
    const wallet = await walletOf(snapshot, { kind: 'agent', seq: agent.agentSeq });
    return {
      subject_commitment: agent.subjectCommitment,
      wallet: wallet === null ? null : { address: wallet.address, chain: chainOf(policy) },
      live: liveView(agent, figures, tier, asOf),
      access_tier: tierView(agent, tier),
      entries,
    };
  });
}
