import { Type } from '@sinclair/typebox';
import { ESCROW_STATUSES, type EscrowStatus } from '../../../../db/trust/escrow-enums.ts';
import type { Cursors } from '../../../platform/http/pagination/cursor.ts';
import { positionNumber } from '../../../platform/http/pagination/cursor.ts';
import type { Store } from '../../../platform/store/store.ts';
import type { Transaction } from '../../../platform/store/transaction.ts';
import { type AgentRow, requireAgentIn, requireEnrolledAgentIn } from '../../agents/agents.ts';
import { commonErrors } from '../../http/errors.ts';
import { pageRequest } from '../../http/paging.ts';
import { cancelIn, type EscrowContext, type EscrowState, holdIn } from '../escrow/escrow.ts';
import { allEscrows, escrowsOfAgent } from '../escrow/list.ts';
import { escrowView } from '../escrow/representation.ts';
import { holdOf, paymentView, requireTask, type Terms } from './engagements.ts';
import { type PaymentContext, payWorkerIn } from './payment.ts';

/** The parts of the service that administering engagements uses. */
type Administration = EscrowContext & { store: Store };

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

/** Returns any engagement. @throws ApiError not_found */
export async function showAsAdministrator({ store }: { store: Store }, taskId: string) {
  return store.read(async (snapshot) => ({ engagement: escrowView(await requireTask(snapshot, taskId)) }));
}

/** Hires for an agent without a sponsor, as an admin key may. @throws ApiError of holdIn; forbidden for an agent with a sponsor */
export async function hireAsAdministrator(trust: Administration, terms: Terms) {
  return trust.store.writeAsService(async (tx) => {
    const hirer = requireUnsponsored(await requireEnrolledAgentIn(tx, terms.hirer));
    return { engagement: escrowView(await holdIn(tx, trust, await holdOf(tx, trust, terms, hirer))) };
  });
}

/** Accepts a delivery for a hirer without a sponsor. @throws ApiError not_found, invalid_state, forbidden, conflict */
export async function acceptAsAdministrator(trust: PaymentContext & Administration, taskId: string) {
  return trust.store.writeAsService(async (tx) =>
    paymentView(await payWorkerIn(tx, trust, await requireAdministered(tx, taskId), 'administrator')),
  );
}

/** Cancels a HELD engagement of a hirer without a sponsor. @throws ApiError not_found, invalid_state, forbidden */
export async function cancelAsAdministrator(trust: Administration, taskId: string) {
  return trust.store.writeAsService(async (tx) => {
    const { state } = await cancelIn(tx, trust, await requireAdministered(tx, taskId), 'administrator');
    return { engagement: escrowView(state) };
  });
}

async function requireAdministered(tx: Transaction, taskId: string): Promise<EscrowState> {
  const state = await requireTask(tx, taskId);
  requireUnsponsored(await requireAgentIn(tx, state.hirer));
  return state;
}

/** @throws ApiError forbidden for an agent with a sponsor */
function requireUnsponsored(agent: AgentRow): AgentRow {
  if (agent.sponsorSeq === null) return agent;
  throw commonErrors.forbidden({
    message:
      'The hirer has a sponsor. Use a key of the sponsor and the API under /api/v1/passport/engagements, or let the agent sign the request.',
  });
}
