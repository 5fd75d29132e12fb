import type { Snapshot, Transaction } from '../../../platform/store/transaction.ts';
import { actsForAgent, findAgentIn } from '../../agents/agents.ts';
import { commonErrors } from '../../http/errors.ts';
import { type AgentCaller, authorizeAgentIn, type DebitContext } from '../../ledger/credits/authorization.ts';
import { type Actor, isLocalAdministrator } from '../../operators/auth/actor.ts';
import { isLimited } from '../../operators/scope.ts';
import { stillSince } from '../escrow/standstill.ts';
import { type EscrowState, requireMoving } from '../escrow/state.ts';
import { requireTask, unknownTask } from './engagement.ts';

/**
 * Returns the escrow of a task, for a caller that may act for a side. While it stands still, only an
 * administrator may act for either side.
 * @throws ApiError not_found; as authorizePartyIn; invalid_state while it stands still
 */
export async function taskForIn(
  tx: Transaction,
  trust: DebitContext,
  caller: AgentCaller,
  taskId: string,
  side: 'hirer' | 'worker',
): Promise<EscrowState> {
  const state = await requireTask(tx, taskId);
  if (stillSince(state) !== null && isAdministrator(caller)) return state;
  await authorizePartyIn(tx, trust, caller, state, side);
  requireMoving(state);
  return state;
}

/**
 * Checks that the caller may act for a side. A stranger learns nothing about the engagement. A signature is
 * verified for the agent that it names before the parties are read, so it does not show them.
 * @throws ApiError of authorizeAgentIn; not_found for strangers; forbidden for the other side's signature
 */
async function authorizePartyIn(
  tx: Transaction,
  trust: DebitContext,
  caller: AgentCaller,
  state: EscrowState,
  side: 'hirer' | 'worker',
): Promise<void> {
  const { principal, auth } = caller;
  if (auth === undefined && principal !== null && !(await mayRead(tx, principal, state))) throw unknownTask();
  const signer = auth?.commitment ?? state[side];
  await authorizeAgentIn(tx, trust, caller, signer);
  if (signer === state[side]) return;
  if (signer !== state.hirer && signer !== state.worker) throw unknownTask();
  throw commonErrors.forbidden({
    message: `Only the ${side}'s side can do this, and the request is signed by the other side. Let the ${side} sign it.`,
  });
}

/**
 * Returns whether an actor may act for the hirer, the worker or the arbiter that the delivery names, or is
 * the local administrator.
 */
export async function mayRead(
  snapshot: Snapshot,
  principal: Actor,
  { hirer, hirerSponsor, worker, workerSponsor, arbiter }: EscrowState,
): Promise<boolean> {
  if (isLocalAdministrator(principal)) return true;
  if (actsForAgent(principal, { subjectCommitment: hirer, sponsorSeq: hirerSponsor })) return true;
  if (actsForAgent(principal, { subjectCommitment: worker, sponsorSeq: workerSponsor })) return true;
  const agent = arbiter === null ? null : await findAgentIn(snapshot, arbiter);
  return agent !== null && actsForAgent(principal, agent);
}

/** Returns whether an admin key that no scope limits sends a request, or the local administrator. */
export const isAdministrator = ({ principal, auth }: AgentCaller): boolean =>
  auth === undefined && principal?.admin === true && !isLimited(principal.scope);

/** Returns who ends an engagement: the side for which the caller acts, or the administrator. */
export const endedBy = <Side extends 'hirer' | 'worker'>(
  caller: AgentCaller,
  state: EscrowState,
  side: Side,
) =>
  caller.principal !== null &&
  (isLocalAdministrator(caller.principal) || (stillSince(state) !== null && isAdministrator(caller)))
    ? ('administrator' as const)
    : side;
