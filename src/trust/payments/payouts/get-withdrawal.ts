import { actsForAgent, findAgentIn } from '../../agents/agents.ts';
import { commonErrors } from '../../http/errors.ts';
import type { Principal } from '../../operators/auth/authenticate.ts';
import type { Reading } from './list-withdrawals.ts';
import { withdrawalView } from './representation.ts';
import { payoutById } from './store.ts';

/** Returns a withdrawal to a caller that acts for its agent. @throws ApiError not_found for any other */
export async function getWithdrawal(
  { store, policy }: Pick<Reading, 'store' | 'policy'>,
  principal: Principal,
  withdrawalId: string,
) {
  const state = await store.read(async (snapshot) => {
    if (!/^wdr_[0-9a-f]{32}$/.test(withdrawalId)) return null;
    const payout = await payoutById(snapshot, withdrawalId);
    const agent = payout === null ? null : await findAgentIn(snapshot, payout.subjectCommitment);
    return agent !== null && actsForAgent(principal, agent) ? payout : null;
  });
  if (state !== null) return { withdrawal: withdrawalView(state, policy) };
  throw commonErrors.not_found({
    message: `There is no withdrawal ${withdrawalId} of an agent that this key acts for.`,
  });
}
