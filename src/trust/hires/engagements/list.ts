import { Type } from '@sinclair/typebox';
import { ESCROW_STATUSES, type EscrowStatus } from '../../../../db/trust/escrow-enums.ts';
import { type Cursors, positionNumber } from '../../../platform/http/pagination/cursor.ts';
import type { Paging } from '../../../platform/http/pagination/page.ts';
import type { Store } from '../../../platform/store/store.ts';
import { actsForAgent, requireAgentIn } from '../../agents/agents.ts';
import { commonErrors } from '../../http/errors.ts';
import { pageRequest } from '../../http/paging.ts';
import { type Actor, isLocalAdministrator, type OperatorActor } from '../../operators/auth/actor.ts';
import { allEscrows, disputes, escrowsOfAgent, escrowsOfSponsor } from '../escrow/list.ts';
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

/** The list of the engagements of an operator's agents, ordered by number. */
const OPERATOR_ENGAGEMENTS = { name: 'operator engagements', position: Type.Tuple([positionNumber]) };

/**
 * Returns a page of the engagements of all agents that the operator sponsors, on both sides, newest first.
 * It costs a look-up in an index for each agent, side and status.
 * @throws ApiError validation_error for an invalid cursor
 */
export async function listOperatorEngagements(
  { store, cursors }: { store: Store; cursors: Cursors },
  { operatorSeq }: OperatorActor,
  { statuses, ...paging }: Paging & { statuses: readonly EscrowStatus[] },
) {
  const list = cursors.of(OPERATOR_ENGAGEMENTS, [operatorSeq, ...statuses]);
  const { limit, after, takePage } = pageRequest(paging, list);
  const states = await store.read((snapshot) =>
    escrowsOfSponsor(snapshot, operatorSeq, statuses, after?.[0], limit + 1),
  );
  const { page, next_cursor } = takePage(states, ({ escrow }) => [escrow.escrowSeq]);
  const isOwn = (sponsorSeq: number | null) => sponsorSeq === operatorSeq;
  return {
    engagements: page.map((state) => ({
      ...escrowView(state),
      isHirer: isOwn(state.hirerSponsor),
      isWorker: isOwn(state.workerSponsor),
    })),
    next_cursor,
  };
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
