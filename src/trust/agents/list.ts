import { Type } from '@sinclair/typebox';
import { type Cursors, positionNumber } from '../../platform/http/pagination/cursor.ts';
import type { Store } from '../../platform/store/store.ts';
import { timestampOf } from '../../platform/time/timestamp.ts';
import { pageRequest } from '../http/paging.ts';
import type { OperatorActor } from '../operators/auth/actor.ts';
import type { AgentListQuery, SponsoredAgentResponse } from './schema.ts';
import { type AgentRow, agentsOfSponsor } from './store.ts';

/** The list of the agents that an operator sponsors, ordered by sequence number. */
const AGENTS = { name: 'agents', position: Type.Tuple([positionNumber]) };

/**
 * Returns a page of the agents that the operator sponsors, newest first.
 * @throws ApiError validation_error for an invalid cursor
 */
export async function listAgents(
  { store, cursors }: { store: Store; cursors: Cursors },
  { operatorSeq }: OperatorActor,
  query: AgentListQuery,
): Promise<{ agents: SponsoredAgentResponse[]; next_cursor: string | null }> {
  const { limit, after, takePage } = pageRequest(query, cursors.of(AGENTS, [operatorSeq]));
  const rows = await store.read((snapshot) =>
    agentsOfSponsor(snapshot, {
      sponsorSeq: operatorSeq,
      before: after?.[0] ?? Number.MAX_SAFE_INTEGER,
      limit: limit + 1,
    }),
  );
  const { page, next_cursor } = takePage(rows, ({ agentSeq }) => [agentSeq]);
  return { agents: page.map(agentView), next_cursor };
}

/** Returns an agent as its sponsor and administrators see it. */
export function agentView({
  subjectCommitment,
  name,
  state,
  issuedAt,
  revokedAt,
  frozenSince,
  frozenReason,
}: AgentRow): SponsoredAgentResponse {
  return {
    subject_commitment: subjectCommitment,
    name,
    state,
    issued_at: issuedAt,
    revoked_at: revokedAt,
    frozen: frozenView({ frozenSince, frozenReason }),
  };
}

/** Returns the freeze of an agent, for its sponsor and administrators; null without one. */
export function frozenView({ frozenSince, frozenReason }: Pick<AgentRow, 'frozenSince' | 'frozenReason'>) {
  return frozenSince === null || frozenReason === null
    ? null
    : { since: timestampOf(frozenSince), reason: frozenReason };
}
