import { Type } from '@sinclair/typebox';
import { ESCROW_STATUSES, type EscrowStatus } from '../../../../db/trust/escrow-enums.ts';
import { type Cursors, positionNumber } from '../../../platform/http/pagination/cursor.ts';
import type { Store } from '../../../platform/store/store.ts';
import { actsForAgent, requireAgentIn } from '../../agents/agents.ts';
import { commonErrors } from '../../http/errors.ts';
import { pageRequest } from '../../http/paging.ts';
import type { Principal } from '../../operators/auth/principals.ts';
import { allEscrows, escrowsOfAgent } from '../escrow/list.ts';
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
  principal: Principal,
  query: EngagementListQuery,
) {
  const { subject_commitment: commitment, role, status } = query;
  const { limit, after, takePage } = pageRequest(query, cursors.of(ENGAGEMENTS, [commitment, role, status]));
  const found = await store.read(async (snapshot) => {
    const agent = await requireAgentIn(snapshot, commitment);
    if (!actsForAgent(principal, agent)) {
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
  const { page, next_cursor } = takePage(found, ({ escrow }) => [escrow.escrowSeq]);
  return { engagements: page.map(escrowView), next_cursor };
}

/** The list of all engagements or of an agent's, ordered by number, as the administrator reads it. */
const ADMINISTERED = { name: 'administered engagements', position: Type.Tuple([positionNumber]) };

/** Which engagements the administrator lists. */
export interface AdministratorQuery {
  /** Only those of the agent with this commitment. */
  agent: string | null;
  /** Only those of the agent with this status. */
  status: EscrowStatus | null;
  limit: string;
  cursor: string | null;
}

/** Returns a page of all engagements or of an agent's, newest first. @throws ApiError not_found, validation_error */
export async function listAsAdministrator(
  { store, cursors }: { store: Store; cursors: Cursors },
  { agent: commitment, status, limit: size, cursor }: AdministratorQuery,
) {
  if (commitment === null && status !== null)
    throw commonErrors.validation_error({ issues: { status: ['needs an agent'] } });
  const paging = { limit: size, ...(cursor === null ? {} : { cursor }) };
  const { limit, after, takePage } = pageRequest(
    paging,
    cursors.of(ADMINISTERED, [commitment ?? '', status ?? '']),
  );
  const found = await store.read(async (snapshot) => {
    if (commitment === null) return allEscrows(snapshot, after?.[0], limit + 1);
    const statuses = status === null ? ESCROW_STATUSES : [status];
    const filter = { roles: ['hirer', 'worker'], statuses } as const;
    return escrowsOfAgent(
      snapshot,
      await requireAgentIn(snapshot, commitment),
      filter,
      after?.[0],
      limit + 1,
    );
  });
  const { page, next_cursor } = takePage(found, ({ escrow }) => [escrow.escrowSeq]);
  return { engagements: page.map(escrowView), next_cursor };
}
