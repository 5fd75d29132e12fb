import type { Once } from '../../platform/http/idempotency/once.ts';
import type { Store } from '../../platform/store/store.ts';
import type { Transaction } from '../../platform/store/transaction.ts';
import type { Clock } from '../../platform/time/clock.ts';
import { timestampOf } from '../../platform/time/timestamp.ts';
import { commonErrors } from '../http/errors.ts';
import type { Actor } from '../operators/auth/actor.ts';
import type { Events } from '../webhooks/events.ts';
import type { AgentCache } from './agent-cache.ts';
import { requireAgentIn } from './agents.ts';
import { agentsEvents } from './events.ts';
import { putStandstill, standstillOf, updateFrozen } from './freeze-store.ts';
import { agentView } from './list.ts';
import type { SponsoredAgentResponse } from './schema.ts';
import { type StandstillFacts, standsStillSince, stoodStillMs } from './standstill.ts';
import type { AgentRow } from './store.ts';

export { standstillOf } from './freeze-store.ts';

/** The parts of the service that a freeze uses. */
export type FreezeContext = { store: Store; clock: Clock; agentCache: AgentCache; events: Events };

/**
 * Freezes an agent, even a revoked one, for an administrator. From then on nothing leaves it, and its hires
 * stand still.
 * @throws ApiError forbidden without an admin key; not_found; invalid_state for a frozen agent
 */
export function freezeAgent(
  trust: FreezeContext,
  actor: Actor,
  commitment: string,
  { reason }: { reason: string },
  once: Once,
): Promise<SponsoredAgentResponse> {
  return change(trust, actor, commitment, once, async (tx, agent, facts) => {
    if (agent.frozenSince !== null) {
      throw commonErrors.invalid_state({
        message: `The agent has been frozen since ${timestampOf(agent.frozenSince ?? 0)}.`,
      });
    }
    const now = trust.clock.now();
    const { agentSeq } = agent;
    const since = standsStillSince(facts) ?? now;
    await putStandstill(tx, { agentSeq, baseMs: stoodStillMs(facts, now), since, carriedOver: null });
    trust.events.emitIn(tx, agentsEvents, {
      event: 'agent.frozen',
      data: { subject_commitment: commitment, reason },
      ...aboutAgent(agent, now),
    });
    return updateFrozen(tx, { agentSeq, frozenSince: now, frozenReason: reason });
  });
}

/**
 * Ends the freeze of an agent, for an administrator. Its hires go on where they stood still.
 * @throws ApiError forbidden without an admin key; not_found
 */
export function unfreezeAgent(
  trust: FreezeContext,
  actor: Actor,
  commitment: string,
  once: Once,
): Promise<SponsoredAgentResponse> {
  return change(trust, actor, commitment, once, async (tx, agent, facts) => {
    if (agent.frozenSince === null) return agent;
    const { agentSeq } = agent;
    const now = trust.clock.now();
    await putStandstill(tx, {
      agentSeq,
      baseMs: baseOf(facts, stoodStillMs(facts, now), now),
      since: facts.inactiveSince === null ? null : facts.since,
      carriedOver: facts.inactiveSince,
    });
    trust.events.emitIn(tx, agentsEvents, {
      event: 'agent.unfrozen',
      data: { subject_commitment: commitment },
      ...aboutAgent(agent, now),
    });
    return updateFrozen(tx, { agentSeq, frozenSince: null, frozenReason: null });
  });
}

/**
 * Stores for how long the hires of an agent stood still, so that another sponsor changes nothing of it.
 * Called before the sponsor changes.
 * @param inactiveMs of the new sponsor, which is active; 0 for none
 */
export async function keepStandstillIn(
  tx: Transaction,
  { clock }: Pick<FreezeContext, 'clock'>,
  { agentSeq }: Pick<AgentRow, 'agentSeq'>,
  inactiveMs: number,
): Promise<void> {
  const facts = await standstillOf(tx, agentSeq);
  // A freeze has its own time.
  if (facts === null || facts.frozenSince !== null) return;
  const now = clock.now();
  const next = { ...facts, inactiveSince: null, inactiveMs };
  const baseMs = baseOf(next, stoodStillMs(facts, now), now);
  if (baseMs !== (facts.baseMs ?? 0))
    await putStandstill(tx, { agentSeq, baseMs, since: null, carriedOver: null });
}

/** Returns when an event of an agent happened, and whom it concerns: its sponsor. */
function aboutAgent({ sponsorSeq }: AgentRow, now: number) {
  return {
    timestamp: timestampOf(now),
    operators: sponsorSeq === null ? [] : [sponsorSeq],
  };
}

/** Returns the base with which an agent that is not frozen has stood still for a time. */
function baseOf(facts: StandstillFacts, stoodStill: number, now: number): number {
  return stoodStill - stoodStillMs({ ...facts, frozenSince: null, baseMs: 0 }, now);
}

function change(
  { store, agentCache }: FreezeContext,
  actor: Actor,
  commitment: string,
  once: Once,
  act: (tx: Transaction, agent: AgentRow, facts: StandstillFacts) => Promise<AgentRow | null>,
): Promise<SponsoredAgentResponse> {
  if (!actor.admin) {
    throw commonErrors.forbidden({
      message: 'Only an admin key can freeze an agent or end a freeze. Ask the administrator of the service.',
    });
  }
  return store.write(actor.authority.neverRefused, (tx) =>
    once(tx, async () => {
      const agent = await requireAgentIn(tx, commitment);
      const facts = await standstillOf(tx, agent.agentSeq);
      const changed = facts === null ? null : await act(tx, agent, facts);
      if (changed === null) throw new Error(`agent ${agent.agentSeq} is gone`);
      agentCache.changedIn(tx, changed);
      return agentView(changed);
    }),
  );
}
