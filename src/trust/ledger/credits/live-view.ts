import type { Store } from '../../../platform/store/store.ts';
import type { Clock } from '../../../platform/time/clock.ts';
import type { AgentRow } from '../../agents/agents.ts';
import type { OperatorsPolicy } from '../../operators/settings.ts';
import type { PublicFigures } from '../balances.ts';
import type { WalletsPolicy } from '../wallets/evm-policy.ts';
import type { AccessTier } from './access-tier.ts';

/** The parts of the service that reading an agent's live state uses. */
export type LiveContext = { store: Store; clock: Clock; policy: OperatorsPolicy & WalletsPolicy };

/** Returns the state, balances and tier of an agent as the API shows them. */
export function liveView(
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
