import type { Transaction } from '../../platform/store/transaction.ts';
import { commonErrors } from '../http/errors.ts';
import type { OperatorActor } from '../operators/auth/actor.ts';
import { operatorBySeq } from '../operators/status.ts';
import type { AgentRow } from './store.ts';

/**
 * Refuses to change the sponsor or the name of an agent that is frozen or whose sponsor is suspended: the
 * change would evade the freeze or the suspension. Admin keys may change both.
 * @throws ApiError forbidden
 */
export async function refuseSuspendedIn(
  tx: Transaction,
  principal: OperatorActor | null,
  { sponsorSeq, frozenSince }: AgentRow,
): Promise<void> {
  if (principal?.admin === true) return;
  if (frozenSince !== null) {
    throw commonErrors.forbidden({
      message:
        "The agent is frozen, so only an admin key can change the agent's sponsor and name. Ask the administrator of the service.",
    });
  }
  if (sponsorSeq === null) return;
  const sponsor = await operatorBySeq(tx, sponsorSeq);
  if (sponsor?.accountStatus !== 'SUSPENDED') return;
  throw commonErrors.forbidden({
    message:
      "The account of the agent's sponsor is suspended, so only an admin key can change the agent's sponsor and name. Ask the " +
      'administrator of the service.',
  });
}
