import { Type } from '@sinclair/typebox';
import type { PayoutStatus } from '../../../../db/trust/payouts-enums.ts';
import { positionNumber } from '../../../platform/http/pagination/cursor.ts';
import type { Paging } from '../../../platform/http/pagination/page.ts';
import { requireAgentIn } from '../../agents/agents.ts';
import { commonErrors } from '../../http/errors.ts';
import { pageRequest } from '../../http/paging.ts';
import type { Administration } from './payout.ts';
import { stoppedRail } from './rail-state.ts';
import { administeredView } from './representation.ts';
import { payoutsBefore, payoutsOfAgentBefore } from './store.ts';

/** The list of all payouts or of an agent's, ordered by number, as the administrator reads it. */
const PAYOUTS = { name: 'administered payouts', position: Type.Tuple([positionNumber]) };

/** The payouts that the administrator lists: those of an agent, by its commitment, or those with a status. */
export interface PayoutListQuery extends Paging {
  agent?: string | undefined;
  status?: PayoutStatus | undefined;
}

/**
 * Returns a page of all payouts, of those with a status, or of an agent's, newest first, and whether the
 * rail of the chain is stopped.
 * @throws ApiError not_found, validation_error
 */
export async function listPayouts(
  { store, cursors, policy }: Pick<Administration, 'store' | 'cursors' | 'policy'>,
  { agent: commitment, status, ...paging }: PayoutListQuery,
) {
  if (commitment !== undefined && status !== undefined)
    throw commonErrors.validation_error({ issues: { status: ['cannot be combined with an agent'] } });
  const pages = cursors.of(PAYOUTS, [commitment ?? '', status ?? '']);
  const { limit, after, takePage } = pageRequest(paging, pages);
  const before = after?.[0] ?? Number.MAX_SAFE_INTEGER;
  const stopped = await store.read((snapshot) => stoppedRail(snapshot, 'evm'));
  const payouts = await store.read(async (snapshot) => {
    if (commitment === undefined)
      return payoutsBefore(snapshot, { status: status ?? null, before, limit: limit + 1 });
    const { agentSeq } = await requireAgentIn(snapshot, commitment);
    return payoutsOfAgentBefore(snapshot, { agentSeq, before, limit: limit + 1 });
  });
  const { page, next_cursor } = takePage(payouts, ({ payout }) => [payout.payoutSeq]);
  return { payouts: page.map((state) => administeredView(state, policy)), next_cursor, stopped };
}
