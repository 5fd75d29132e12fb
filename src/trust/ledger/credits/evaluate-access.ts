import type { Once } from '../../../platform/http/idempotency/once.ts';
import type { Store } from '../../../platform/store/store.ts';
import type { Clock } from '../../../platform/time/clock.ts';
import { actsForAgent, requireAgentIn } from '../../agents/agents.ts';
import { commonErrors } from '../../http/errors.ts';
import type { Actor } from '../../operators/auth/actor.ts';
import type { OperatorsPolicy } from '../../operators/settings.ts';
import { evaluateTierIn } from '../evaluation.ts';
import type { WalletsPolicy } from '../wallets/evm-policy.ts';
import { currentTier, tierView } from './access-tier.ts';

/** The parts of the service that changing a tier uses. */
export type AccessContext = { store: Store; clock: Clock; policy: OperatorsPolicy & WalletsPolicy };

/**
 * Computes an agent's tier from its balance, and stores it. Every movement does this too, so it is needed
 * only after a change of the thresholds.
 * @returns the tier
 * @throws ApiError not_found; forbidden unless the key is one of the sponsor or an admin key
 */
export async function evaluateAccess(trust: AccessContext, principal: Actor, commitment: string, once: Once) {
  return trust.store.write(principal.authority, (tx) =>
    once(tx, async () => {
      const agent = await requireAgentIn(tx, commitment);
      if (!principal.admin && !actsForAgent(principal, agent)) {
        throw commonErrors.forbidden({
          message: "Only the agent's sponsor or an admin key can evaluate its tier. Use one of these keys.",
        });
      }
      await evaluateTierIn(tx, trust, agent.agentSeq);
      return tierView(agent, await currentTier(tx, trust, agent));
    }),
  );
}
