import { Type } from '@sinclair/typebox';
import { type Cursors, positionNumber } from '../../../platform/http/pagination/cursor.ts';
import type { Store } from '../../../platform/store/store.ts';
import { actsForAgent, requireAgentIn } from '../../agents/agents.ts';
import { commonErrors } from '../../http/errors.ts';
import { pageRequest } from '../../http/paging.ts';
import type { Principal } from '../../operators/auth/authenticate.ts';
import { withdrawalView } from './representation.ts';
import type { WithdrawalListQuery } from './schema.ts';
import type { PayoutsPolicy } from './settings.ts';
import { payoutsOfAgentBefore } from './store.ts';

export type Reading = { store: Store; cursors: Cursors; policy: PayoutsPolicy };

/** An agent's withdrawals, ordered by number. */
const WITHDRAWALS = { name: 'withdrawals', position: Type.Tuple([positionNumber]) };

/**
 * Returns a page of an agent's withdrawals, newest first, to a caller that acts for the agent.
 * @throws ApiError validation_error for an invalid cursor; not_found; forbidden
 */
export async function listWithdrawals(
  { store, cursors, policy }: Reading,
  principal: Principal,
  query: WithdrawalListQuery,
) {
  const { subject_commitment: commitment } = query;
  const { limit, after, takePage } = pageRequest(query, cursors.of(WITHDRAWALS, [commitment]));
  const payouts = await store.read(async (snapshot) => {
    const agent = await requireAgentIn(snapshot, commitment);
    if (!actsForAgent(principal, agent)) {
      throw commonErrors.forbidden({
        message:
          "Only a key of the agent's sponsor or its holder key can list its withdrawals (an admin key while it has no sponsor). Use one of " +
          'these keys.',
      });
    }
    const before = after?.[0] ?? Number.MAX_SAFE_INTEGER;
    return payoutsOfAgentBefore(snapshot, { agentSeq: agent.agentSeq, before, limit: limit + 1 });
  });
  const { page, next_cursor } = takePage(payouts, ({ payout }) => [payout.payoutSeq]);
  return { withdrawals: page.map((state) => withdrawalView(state, policy)), next_cursor };
}
