import type { Snapshot } from '../../../platform/store/transaction.ts';
import { timestampOf } from '../../../platform/time/timestamp.ts';
import { type AgentRow, isActiveAgent } from '../../agents/agents.ts';
import type { OperatorsPolicy } from '../../operators/settings.ts';
import { operatorBySeq } from '../../operators/status.ts';
import { type PublicFigures, publicFigures } from '../balances.ts';
import { creditStateOf } from '../evaluation.ts';
import { type Tier, tierOf } from '../tiers.ts';
import type { WalletsPolicy } from '../wallets/evm-policy.ts';
import { newestOverride } from './store.ts';

/** Why an agent has its tier. */
export const EVALUATION_REASONS = [
  'sufficient_balance',
  'low_balance_limited',
  'low_balance_sandbox',
  'safety_net_floor',
  'credit_inactive',
  'admin_override',
] as const;

type EvaluationReason = (typeof EVALUATION_REASONS)[number];

const REASON_OF: Readonly<Record<Exclude<Tier, 'SUSPENDED'>, EvaluationReason>> = {
  FULL: 'sufficient_balance',
  LIMITED: 'low_balance_limited',
  SANDBOXED: 'low_balance_sandbox',
  SHELTERED: 'safety_net_floor',
};

/** An agent's access tier, and the reason. */
export interface AccessTier {
  tier: Tier;
  /** The tier that the last movement or evaluation stored; SHELTERED before the first one. */
  evaluated_tier: Tier;
  override_tier: Tier | null;
  evaluation_reason: EvaluationReason;
  /** RFC 3339; null before the first movement and evaluation. */
  evaluated_at: string | null;
}

/**
 * Returns an agent's tier as of the snapshot. A revoked or frozen agent and one with an inactive sponsor are
 * SUSPENDED, even with an override. Otherwise an override applies; without one, the available credits decide.
 */
export async function accessTierIn(
  snapshot: Snapshot,
  { policy }: { policy: OperatorsPolicy },
  agent: Pick<AgentRow, 'agentSeq' | 'state' | 'frozenSince' | 'sponsorSeq'>,
  { available }: Pick<PublicFigures, 'available'>,
): Promise<AccessTier> {
  const evaluation = await creditStateOf(snapshot, agent.agentSeq);
  const override_tier = (await newestOverride(snapshot, agent.agentSeq))?.tier ?? null;
  const byBalance = tierOf(available, policy.tiers);
  const isActive = await isActiveAgent(agent, (seq) => operatorBySeq(snapshot, seq));
  const [tier, evaluation_reason] = !isActive
    ? (['SUSPENDED', 'credit_inactive'] as const)
    : override_tier !== null
      ? ([override_tier, 'admin_override'] as const)
      : ([byBalance, REASON_OF[byBalance]] as const);
  return {
    tier,
    evaluated_tier: evaluation?.evaluatedTier ?? 'SHELTERED',
    override_tier,
    evaluation_reason,
    evaluated_at: evaluation === null ? null : timestampOf(evaluation.evaluatedAt),
  };
}

/** Returns an agent's tier by its figures in the snapshot. */
export async function currentTier(
  snapshot: Snapshot,
  { policy }: { policy: OperatorsPolicy & WalletsPolicy },
  agent: AgentRow,
): Promise<AccessTier> {
  return accessTierIn(snapshot, { policy }, agent, await publicFigures(snapshot, agent.agentSeq));
}

/** Returns the tier of an agent as the API shows it. */
export function tierView({ subjectCommitment }: AgentRow, tier: AccessTier) {
  return { subject_commitment: subjectCommitment, ...tier };
}
