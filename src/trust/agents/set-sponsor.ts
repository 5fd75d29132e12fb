import type { Once } from '../../platform/http/idempotency/once.ts';
import type { Transaction } from '../../platform/store/transaction.ts';
import { timestamp } from '../../platform/time/clock.ts';
import { commonErrors } from '../http/errors.ts';
import type { OperatorActor } from '../operators/auth/actor.ts';
import { isLimited } from '../operators/scope.ts';
import { type OperatorRow, operatorById } from '../operators/status.ts';
import { type RequestLine, verifyAgentAuthIn } from './agent-auth.ts';
import type { AgentContext } from './agent-context.ts';
import { requireAgentIn } from './agents.ts';
import { keepStandstillIn } from './freeze.ts';
import { type Passport, passportIn } from './passport.ts';
import type { SponsorRequest } from './schema.ts';
import { updateSponsor } from './store.ts';
import { refuseSuspendedIn } from './suspended-sponsor.ts';

/**
 * Changes an agent's sponsor. An admin key that no scope limits may name any operator; any other key names
 * its operator and needs the agent's authorization.
 * @param line the request's method, path and query string; with an authorization, a query string is refused
 * @throws ApiError not_found, forbidden, validation_error, invalid_proof, nonce_reused
 */
export async function setSponsor(
  trust: AgentContext,
  principal: OperatorActor,
  commitment: string,
  line: RequestLine,
  { agent_auth: auth, ...body }: SponsorRequest,
  once: Once,
): Promise<Passport> {
  return trust.store.write(principal.authority, (tx) =>
    once(tx, async () => {
      const agent = await requireAgentIn(tx, commitment);
      if (auth !== undefined) {
        await verifyAgentAuthIn(tx, trust, commitment, { ...line, body }, auth);
      } else if (!principal.admin || isLimited(principal.scope)) {
        // The sponsor's keys spend the agent's credits, so a key that may spend only some does not suffice.
        throw commonErrors.forbidden({
          message:
            "The request needs an admin key that no scope limits, or the agent's authorization (agent_auth).",
        });
      }
      await refuseSuspendedIn(tx, principal, agent);
      const sponsor = await sponsorNamedIn(tx, principal, body.operator_id);
      await keepStandstillIn(tx, trust, agent, sponsor?.inactiveMs ?? 0);
      const sponsorSeq = sponsor?.operatorSeq ?? null;
      const change = { agentSeq: agent.agentSeq, sponsorSeq, at: timestamp(trust.clock) };
      const changed = await updateSponsor(tx, change);
      trust.agentCache.changedIn(tx, agent);
      return passportIn(tx, trust, changed ?? agent);
    }),
  );
}

/**
 * @throws ApiError forbidden if a key without admin rights names another operator or none; validation_error
 */
async function sponsorNamedIn(
  tx: Transaction,
  principal: OperatorActor,
  operatorId: string | null,
): Promise<OperatorRow | null> {
  if (!principal.admin && operatorId !== principal.operatorId) {
    throw commonErrors.forbidden({
      message:
        'Only an admin key may remove the sponsor or name another operator. Use an admin key, or your own operator_id.',
    });
  }
  if (operatorId === null) return null;
  const operator = await operatorById(tx, operatorId);
  if (operator?.accountStatus === 'ACTIVE') return operator;
  const wrong = operator === null ? 'must be an operator of this service' : 'must be an active operator';
  throw commonErrors.validation_error({ issues: { operator_id: [wrong] } });
}
