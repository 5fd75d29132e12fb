import { actsForAgent, findAgentIn } from '../../agents/agents.ts';
import { commonErrors } from '../../http/errors.ts';
import type { Principal } from '../../operators/auth/principals.ts';
import type { Reading } from './list.ts';
import { type Administration, requirePayout } from './payout.ts';
import { administeredView, withdrawalView } from './representation.ts';
import { payoutById } from './store.ts';

/** Returns a withdrawal to those who act for its agent. @throws ApiError not_found, for all others too */
export async function readWithdrawal(
  { store, policy }: Pick<Reading, 'store' | 'policy'>,
  principal: Principal,
  withdrawalId: string,
) {
  const state = await store.read(async (snapshot) => {
    if (!/^wdr_[0-9a-f]{32}$/.test(withdrawalId)) return null;
    const found = await payoutById(snapshot, withdrawalId);
    const agent = found === null ? null : await findAgentIn(snapshot, found.subjectCommitment);
    return agent !== null && actsForAgent(principal, agent) ? found : null;
  });
  if (state !== null) return { withdrawal: withdrawalView(state, policy) };
  throw commonErrors.not_found({
    message: `There is no withdrawal ${withdrawalId} of an agent that this key acts for.`,
  });
}

/** Returns a payout. @throws ApiError not_found */
export async function showAsAdministrator(
  { store, policy }: Pick<Administration, 'store' | 'policy'>,
  withdrawalId: string,
) {
  const state = await store.read((snapshot) => requirePayout(snapshot, withdrawalId));
  return { payout: administeredView(state, policy) };
}
