import type { Once } from '../../../platform/http/idempotency/once.ts';
import { timestamp } from '../../../platform/time/clock.ts';
import { requireAgentIn } from '../../agents/agents.ts';
import { commonErrors } from '../../http/errors.ts';
import { type Actor, requireOperator } from '../../operators/auth/actor.ts';
import { currentTier, tierView } from './access-tier.ts';
import type { AccessContext } from './evaluate-access.ts';
import type { OverrideRequest } from './schema.ts';
import { insertOverride } from './store.ts';

/**
 * Sets an agent's tier, or ends an override, and stores the reason. Every override stays stored.
 * @returns the tier @throws ApiError forbidden without an admin key; not_found
 */
export async function overrideAccess(
  trust: AccessContext,
  actor: Actor,
  { subject_commitment, tier, reason }: OverrideRequest,
  once: Once,
) {
  if (!actor.admin) {
    throw commonErrors.forbidden({
      message: 'Only an admin key can set or end an override. Ask the administrator of the service.',
    });
  }
  const { operatorSeq } = requireOperator(actor);
  return trust.store.write(actor.authority, (tx) =>
    once(tx, async () => {
      const agent = await requireAgentIn(tx, subject_commitment);
      const createdAt = timestamp(trust.clock);
      await insertOverride(tx, { agentSeq: agent.agentSeq, tier, reason, operatorSeq, createdAt });
      return tierView(agent, await currentTier(tx, trust, agent));
    }),
  );
}
