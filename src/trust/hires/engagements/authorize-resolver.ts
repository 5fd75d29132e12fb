import type { Transaction } from '../../../platform/store/transaction.ts';
import { timestampOf } from '../../../platform/time/timestamp.ts';
import { findAgentIn } from '../../agents/agents.ts';
import { commonErrors } from '../../http/errors.ts';
import { type AgentCaller, authorizeAgentIn, type DebitContext } from '../../ledger/credits/authorization.ts';
import { dependenceIn } from '../escrow/arbiter.ts';
import { escrowView } from '../escrow/representation.ts';
import { stillSince, stillSinceStatusMs } from '../escrow/standstill.ts';
import { type EscrowState, requireMoving } from '../escrow/state.ts';
import { isAdministrator, mayRead } from './authorize-party.ts';
import { unknownTask } from './engagement.ts';

/** The time after a dispute in which its arbiter decides; after it, an administrator does. */
const ARBITER_MS = 14 * 86_400_000;

/**
 * Returns in which role a caller may decide about a dispute: as the arbiter that the worker named and that
 * consented, by its signature, unless the hirer refused it, or as an administrator, if no arbiter can decide.
 * A stranger learns nothing.
 * @throws ApiError not_found for strangers; forbidden for others; invalid_state for an administrator while
 * the arbiter can decide, and for the arbiter while the hire stands still; of authorizeAgentIn
 */
export async function authorizeResolverIn(
  tx: Transaction,
  trust: DebitContext,
  caller: AgentCaller,
  state: EscrowState,
): Promise<'administrator' | 'arbiter'> {
  const { principal, auth } = caller;
  if (auth !== undefined) {
    await authorizeAgentIn(tx, trust, caller, auth.commitment);
    if (auth.commitment !== state.arbiter) {
      if (![state.hirer, state.worker].includes(auth.commitment)) throw unknownTask();
      throw notDecided('A party of the engagement cannot decide about it.');
    }
    const problem = await powerlessIn(tx, trust, state);
    if (problem !== null) throw notDecided(problem);
    requireMoving(state);
    return 'arbiter';
  }
  if (!isAdministrator(caller)) {
    if (principal === null || !(await mayRead(tx, principal, state))) throw unknownTask();
    throw notDecided('A key of a party cannot decide about it.');
  }
  if (state.escrow.status === 'DISPUTED' && stillSince(state) === null) {
    if ((await powerlessIn(tx, trust, state)) === null) throw arbiterDecides(trust, state);
  }
  return 'administrator';
}

/** Returns why the arbiter of a dispute cannot decide about it; null if it can. */
async function powerlessIn(tx: Transaction, trust: DebitContext, state: EscrowState): Promise<string | null> {
  const { arbiter: commitment, consentedAt, escrow } = state;
  if (commitment === null) return 'The delivery names no arbiter.';
  if (state.isArbiterRefused) return 'The hirer refused the arbiter.';
  if (consentedAt === null) return 'The arbiter has not consented.';
  const arbiter = await findAgentIn(tx, commitment);
  const problem = arbiter === null ? 'is gone' : await dependenceIn(tx, trust, state, arbiter);
  if (problem !== null) return `The arbiter ${problem}.`;
  if (escrow.disputedAt === null || trust.clock.now() < arbiterUntil(trust, state)) return null;
  return 'The time in which the arbiter decides is over.';
}

/** Returns until when the arbiter of a dispute decides, in milliseconds since 1970. */
function arbiterUntil({ clock }: DebitContext, state: EscrowState): number {
  const { disputedAt } = state.escrow;
  return (disputedAt ?? 0) + ARBITER_MS + stillSinceStatusMs(state, clock.now());
}

function notDecided(problem: string) {
  return commonErrors.forbidden({
    message: `${problem} A dispute is decided by the signature of its arbiter (agent_auth), else by an admin key.`,
  });
}

function arbiterDecides(trust: DebitContext, state: EscrowState) {
  const until = timestampOf(arbiterUntil(trust, state));
  return commonErrors.invalid_state({
    message: `The arbiter of the engagement decides until ${until}. After that, an administrator can.`,
    members: { engagement: escrowView(state) },
  });
}
