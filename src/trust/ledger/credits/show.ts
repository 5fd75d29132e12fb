import type { Store } from '../../../platform/store/store.ts';
import { requireAgentIn } from '../../agents/agents.ts';
import { frozenView } from '../../agents/list.ts';
import type { OperatorsPolicy } from '../../operators/settings.ts';
import { operatorBySeq } from '../../operators/status.ts';
import { creditFigures } from '../balances.ts';
import type { WalletsPolicy } from '../wallets/evm-policy.ts';
import { currentTier } from './access-tier.ts';
import { newestOverride } from './store.ts';

/**
 * Returns an agent's figures of each class, its tier and the newest override with its reason.
 * @throws ApiError not_found
 */
export async function showCredits(
  { store, policy }: { store: Store; policy: OperatorsPolicy & WalletsPolicy },
  commitment: string,
) {
  return store.read(async (snapshot) => {
    const agent = await requireAgentIn(snapshot, commitment);
    const { agentSeq, sponsorSeq, subjectCommitment, name, state } = agent;
    const sponsor = sponsorSeq === null ? null : await operatorBySeq(snapshot, sponsorSeq);
    const override = await newestOverride(snapshot, agentSeq);
    const by = override === null ? null : await operatorBySeq(snapshot, override.operatorSeq);
    return {
      subject_commitment: subjectCommitment,
      name,
      state,
      sponsor: sponsor?.operatorId ?? null,
      frozen: frozenView(agent),
      credits: await creditFigures(snapshot, agentSeq),
      ...(await currentTier(snapshot, { policy }, agent)),
      newest_override:
        override === null
          ? null
          : {
              tier: override.tier,
              reason: override.reason,
              operator_id: by?.operatorId ?? null,
              created_at: override.createdAt,
            },
    };
  });
}
