import type { Store } from '../../../platform/store/store.ts';
import type { Snapshot } from '../../../platform/store/transaction.ts';
import type { Clock } from '../../../platform/time/clock.ts';
import { timestamp } from '../../../platform/time/clock.ts';
import { isHex } from '../../../proof/encoding/hex.ts';
import { type AgentRow, noSuchAgent, requireAgentIn } from '../../agents/agents.ts';
import { commonErrors } from '../../http/errors.ts';
import type { OperatorsPolicy } from '../../operators/settings.ts';
import { type PublicFigures, publicFigures, publicFiguresByCommitment } from '../figures.ts';
import type { WalletsPolicy } from '../wallets/evm-policy.ts';
import { chainOf, walletOf } from '../wallets/wallets.ts';
import { newestEntries } from './journal.ts';
import { type AccessTier, accessTierIn } from './tier.ts';

/** The parts of the service that reading an agent's live state uses. */
export type LiveContext = { store: Store; clock: Clock; policy: OperatorsPolicy & WalletsPolicy };

/** The number of journal entries that governance shows. */
const NEWEST = 20;

/** Returns an agent's figures, as JSON. @throws ApiError not_found for an agent that never enrolled */
export async function getCredits({ store }: { store: Store }, commitment: string): Promise<string> {
  return store.read(async (snapshot) => {
    const figures = isHex(commitment, 32) ? await publicFiguresByCommitment(snapshot, commitment) : null;
    if (figures === null) throw noSuchAgent();
    return JSON.stringify({ subject_commitment: commitment, ...figures });
  });
}

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

/** Returns an agent's state, balances and tier as of now. @throws ApiError not_found for an agent that never enrolled */
export async function getLive({ store, clock, policy }: LiveContext, commitment: string) {
  // Before the snapshot is opened, so that the response knows of everything that was stored until as_of.
  const asOf = timestamp(clock);
  return store.read(async (snapshot) => {
    const agent = await requireAgentIn(snapshot, commitment);
    const figures = await publicFigures(snapshot, agent.agentSeq);
    return liveView(agent, figures, await accessTierIn(snapshot, { policy }, agent, figures), asOf);
  });
}

/**
 * Returns an agent's wallet, live state, tier and newest journal entries as of one moment, as strangers see them.
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
      wallet: wallet === undefined ? null : { address: wallet.address, chain: chainOf(policy) },
      live: liveView(agent, figures, tier, asOf),
      access_tier: tierView(agent, tier),
      entries,
    };
  });
}

/** Returns an agent's tier by its figures in the snapshot. */
export async function currentTier(
  snapshot: Snapshot,
  { policy }: { policy: OperatorsPolicy & WalletsPolicy },
  agent: AgentRow,
): Promise<AccessTier> {
  return accessTierIn(snapshot, { policy }, agent, await publicFigures(snapshot, agent.agentSeq));
}

export function tierView({ subjectCommitment }: AgentRow, tier: AccessTier) {
  return { subject_commitment: subjectCommitment, ...tier };
}

function liveView(
  { subjectCommitment, state }: AgentRow,
  balances: PublicFigures,
  { tier, evaluation_reason }: AccessTier,
  asOf: string,
) {
  const isInactive = evaluation_reason === 'credit_inactive';
  return {
    subject_commitment: subjectCommitment,
    state,
    balances,
    tier,
    evaluation_reason,
    credit_state: isInactive ? ('inactive' as const) : ('active' as const),
    as_of: asOf,
  };
}
