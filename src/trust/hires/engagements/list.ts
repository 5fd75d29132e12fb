import { Type } from '@sinclair/typebox';
import { ESCROW_STATUSES } from '../../../../db/trust/escrow-enums.ts';
import { type Cursors, positionNumber } from '../../../platform/http/pagination/cursor.ts';
import type { Paging } from '../../../platform/http/pagination/page.ts';
import type { Store } from '../../../platform/store/store.ts';
import { actsForAgent, requireAgentIn } from '../../agents/agents.ts';
import { commonErrors } from '../../http/errors.ts';
import { pageRequest } from '../../http/paging.ts';
import { type Actor, isLocalAdministrator } from '../../operators/auth/actor.ts';
import { allEscrows, disputes, escrowsOfAgent } from '../escrow/list.ts';
import { escrowView } from '../escrow/representation.ts';
import type { EngagementListQuery } from './schema.ts';

/** The list of an agent's engagements, ordered by number. */
const ENGAGEMENTS = { name: 'engagements', position: Type.Tuple([positionNumber]) };

/**
 * Returns a page of an agent's engagements, newest first, to those who act for the agent.
 * @throws ApiError validation_error for an invalid cursor; not_found; forbidden
 */
export async function listEngagements(
  { store, cursors }: { store: Store; cursors: Cursors },
  principal: Actor,
  query: EngagementListQuery,
) {
  const { subject_commitment: commitment, role, status } = query;
  const { limit, after, takePage } = pageRequest(query, cursors.of(ENGAGEMENTS, [commitment, role, status]));
  const states = await store.read(async (snapshot) => {
    const agent = await requireAgentIn(snapshot, commitment);
    if (!isLocalAdministrator(principal) && !actsForAgent(principal, agent)) {
      throw commonErrors.forbidden({
        message: "Only keys of the agent's sponsor can list its engagements. Use one of these keys.",
      });
    }
    const filter = {
      roles: role === undefined ? (['hirer', 'worker'] as const) : [role],
      statuses: status === undefined ? ESCROW_STATUSES : [status],
    };
    return escrowsOfAgent(snapshot, agent, filter, after?.[0], limit + 1);
  });
  const { page, next_cursor } = takePage(states, ({ escrow }) => [escrow.escrowSeq]);
  return { engagements: page.map(escrowView), next_cursor };
}

/** The list of all engagements, ordered by number. */
const ALL_ENGAGEMENTS = { name: 'all engagements', position: Type.Tuple([positionNumber]) };

/**
 * Returns a page of all engagements, or of all disputed ones, newest first. A local operation.
 * @throws ApiError validation_error for an invalid cursor
 */
export async function listAllEngagements(
  { store, cursors }: { store: Store; cursors: Cursors },
  query: Paging & { status?: 'DISPUTED' },
) {
  const { status } = query;
  const { limit, after, takePage } = pageRequest(query, cursors.of(ALL_ENGAGEMENTS, [status]));
  const list = status === undefined ? allEscrows : disputes;
  const states = await store.read((snapshot) => list(snapshot, after?.[0], limit + 1));
  const { page, next_cursor } = takePage(states, ({ escrow }) => [escrow.escrowSeq]);
  return { engagements: page.map(escrowView), next_cursor };
}
