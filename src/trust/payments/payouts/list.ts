import { Type } from '@sinclair/typebox';
import type { PayoutStatus } from '../../../../db/trust/payouts-enums.ts';
import { type Cursors, positionNumber } from '../../../platform/http/pagination/cursor.ts';
import type { Store } from '../../../platform/store/store.ts';
import { actsForAgent, requireAgentIn } from '../../agents/agents.ts';
import { commonErrors } from '../../http/errors.ts';
import { pageRequest } from '../../http/paging.ts';
import type { Principal } from '../../operators/auth/principals.ts';
import type { Administration } from './payout.ts';
import { administeredView, withdrawalView } from './representation.ts';
import type { WithdrawalListQuery } from './schema.ts';
import type { PayoutsPolicy } from './settings.ts';
import { payoutsBefore, payoutsOfAgentBefore } from './store.ts';

export type Reading = { store: Store; cursors: Cursors; policy: PayoutsPolicy };

/** An agent's withdrawals, ordered by number. */
const WITHDRAWALS = { name: 'withdrawals', position: Type.Tuple([positionNumber]) };

/**
 * Returns a page of an agent's withdrawals, newest first, to those who act for the agent.
 * @throws ApiError validation_error for an invalid cursor; not_found; forbidden
 */
export async function listWithdrawals(
  { store, cursors, policy }: Reading,
  principal: Principal,
  query: WithdrawalListQuery,
) {
  const { subject_commitment: commitment } = query;
  const { limit, after, takePage } = pageRequest(query, cursors.of(WITHDRAWALS, [commitment]));
  const found = await store.read(async (snapshot) => {
    const agent = await requireAgentIn(snapshot, commitment);
    if (!actsForAgent(principal, agent)) {
      throw commonErrors.forbidden({
        message:
          "Only a key of the agent's sponsor or its holder key can list its withdrawals (an admin key while it has no sponsor). Use one of " +
          'these keys.',
      });
    }
    return payoutsOfAgentBefore(snapshot, agent.agentSeq, after?.[0] ?? Number.MAX_SAFE_INTEGER, limit + 1);
  });
  const { page, next_cursor } = takePage(found, ({ payout }) => [payout.payoutSeq]);
  return { withdrawals: page.map((state) => withdrawalView(state, policy)), next_cursor };
}

/** The list of all payouts or of an agent's, ordered by number, as the administrator reads it. */
const ADMINISTERED = { name: 'administered payouts', position: Type.Tuple([positionNumber]) };

/** Which payouts the administrator lists. */
export interface AdministratorQuery {
  /** Only those of the agent with this commitment. */
  agent: string | null;
  /** Only those with this status. */
  status: PayoutStatus | null;
  limit: string;
  cursor: string | null;
}

/**
 * Returns a page of all payouts, of those with a status, or of an agent's, newest first.
 * @throws ApiError not_found, validation_error
 */
export async function listAsAdministrator(
  { store, cursors, policy }: Pick<Administration, 'store' | 'cursors' | 'policy'>,
  { agent: commitment, status, limit: size, cursor }: AdministratorQuery,
) {
  if (commitment !== null && status !== null)
    throw commonErrors.validation_error({ issues: { status: ['cannot be combined with an agent'] } });
  const paging = { limit: size, ...(cursor === null ? {} : { cursor }) };
  const { limit, after, takePage } = pageRequest(
    paging,
    cursors.of(ADMINISTERED, [commitment ?? '', status ?? '']),
  );
  const before = after?.[0] ?? Number.MAX_SAFE_INTEGER;
  const found = await store.read(async (snapshot) =>
    commitment === null
      ? payoutsBefore(snapshot, status, before, limit + 1)
      : payoutsOfAgentBefore(
          snapshot,
          (await requireAgentIn(snapshot, commitment)).agentSeq,
          before,
          limit + 1,
        ),
  );
  const { page, next_cursor } = takePage(found, ({ payout }) => [payout.payoutSeq]);
  return { payouts: page.map((state) => administeredView(state, policy)), next_cursor };
}
