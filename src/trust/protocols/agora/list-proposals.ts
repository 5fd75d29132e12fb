import { Type } from '@sinclair/typebox';
import { type Cursors, positionNumber } from '../../../platform/http/pagination/cursor.ts';
import type { Store } from '../../../platform/store/store.ts';
import { timestampOf } from '../../../platform/time/timestamp.ts';
import { actsForAgent, requireAgentIn } from '../../agents/agents.ts';
import { commonErrors } from '../../http/errors.ts';
import { pageRequest } from '../../http/paging.ts';
import { type Actor, isLocalAdministrator } from '../../operators/auth/actor.ts';
import { stepView } from './representation.ts';
import type { ProposalListQuery } from './schema.ts';
import { type ProposalRow, proposalsBefore } from './store.ts';

/** The list of an agent's proposals, ordered by the entries of their first steps. */
const PROPOSALS = { name: 'proposals', position: Type.Tuple([positionNumber]) };

/**
 * Returns a page of the proposals that an agent made or received, newest first, to those who act for it.
 * @throws ApiError validation_error for an invalid cursor; not_found; forbidden
 */
export async function listProposals(
  { store, cursors }: { store: Store; cursors: Cursors },
  principal: Actor,
  query: ProposalListQuery,
) {
  const { commitment } = query;
  const { limit, after, takePage } = pageRequest(query, cursors.of(PROPOSALS, [commitment]));
  const rows = await store.read(async (snapshot) => {
    const agent = await requireAgentIn(snapshot, commitment);
    if (!isLocalAdministrator(principal) && !actsForAgent(principal, agent)) {
      throw commonErrors.forbidden({
        message: "Only keys of the agent's sponsor can list its proposals. Use one of these keys.",
      });
    }
    const before = after?.[0] ?? Number.MAX_SAFE_INTEGER;
    return proposalsBefore(snapshot, { agentSeq: agent.agentSeq, before, limit: limit + 1 });
  });
  const { page, next_cursor } = takePage(rows, ({ firstSeq }) => [firstSeq]);
  return { proposals: page.map(proposalRowView), next_cursor };
}

function proposalRowView({ proposer, receiver, steps, createdAt, updatedAt, ...newest }: ProposalRow) {
  return {
    ...stepView(newest, newest.prevHash),
    from_commitment: proposer,
    to_commitment: receiver,
    steps,
    created_at: timestampOf(createdAt),
    updated_at: timestampOf(updatedAt),
  };
}
