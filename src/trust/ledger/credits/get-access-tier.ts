import type { Store } from '../../../platform/store/store.ts';
import { requireAgentIn } from '../../agents/agents.ts';
import type { OperatorsPolicy } from '../../operators/settings.ts';
import type { WalletsPolicy } from '../wallets/evm-policy.ts';
import { currentTier, tierView } from './access-tier.ts';

/** Returns an agent's access tier as of now. @throws ApiError not_found for an agent that never enrolled */
export async function getAccessTier(
  { store, policy }: { store: Store; policy: OperatorsPolicy & WalletsPolicy },
  commitment: string,
) {
  return store.read(async (snapshot) => {
    const agent = await requireAgentIn(snapshot, commitment);
    return tierView(agent, await currentTier(snapshot, { policy }, agent));
  });
}
