import { timestamp } from '../../../platform/time/clock.ts';
import { requireAgentIn } from '../../agents/agents.ts';
import { publicFigures } from '../balances.ts';
import { accessTierIn } from './access-tier.ts';
import { type LiveContext, liveView } from './live-view.ts';

/**
 * Returns an agent's state, balances and tier as of now.
 * @throws ApiError not_found for an agent that never enrolled
 */
export async function getLive({ store, clock, policy }: LiveContext, commitment: string) {
  // Before the snapshot is opened, so that the response knows of everything that was stored until as_of.
  const asOf = timestamp(clock);
  return store.read(async (snapshot) => {
    const agent = await requireAgentIn(snapshot, commitment);
    const figures = await publicFigures(snapshot, agent.agentSeq);
    return liveView(agent, figures, await accessTierIn(snapshot, { policy }, agent, figures), asOf);
  });
}
