import { commonErrors } from '../http/errors.ts';
import { type Principal, unauthorized } from '../operators/auth/authenticate.ts';
import { SignerAuthority } from '../operators/quotas/authorities.ts';
import type { Quotas } from '../operators/quotas/quotas.ts';
import { type RequestLine, verifyAgentAuthIn } from './agent-auth.ts';
import type { AgentContext } from './agent-context.ts';
import { requireEnrolledAgentIn, seesAll } from './agents.ts';
import { type Passport, passportIn } from './passport.ts';
import { agentPayer } from './payer.ts';
import type { NameRequest } from './schema.ts';
import { updateName } from './store.ts';
import { refuseSuspendedIn } from './suspended-sponsor.ts';

/**
 * Sets or clears an agent's name. Needs its sponsor's issuer key, an admin key or its authorization.
 * @param line the request's method, path and query string; with an authorization, a query string is refused
 * @throws ApiError agent_not_enrolled, unauthorized, forbidden, validation_error, invalid_proof, nonce_reused
 */
export async function setAgentName(
  trust: AgentContext & { quotas: Quotas },
  principal: Principal | null,
  commitment: string,
  line: RequestLine,
  { agent_auth: auth, ...body }: NameRequest,
): Promise<Passport> {
  if (auth === undefined && principal === null) throw unauthorized();
  const authority = new SignerAuthority(trust.quotas, principal?.authority ?? null);
  return trust.store.write(authority, async (tx) => {
    const agent = await requireEnrolledAgentIn(tx, commitment);
    if (auth !== undefined) await verifyAgentAuthIn(tx, trust, commitment, { ...line, body }, auth);
    else if (!seesAll(principal, agent)) {
      throw commonErrors.forbidden({
        message:
          "The request needs a key of the agent's sponsor, an admin key, or the agent's authorization (agent_auth).",
      });
    }
    await refuseSuspendedIn(tx, principal, agent);
    // Charged after authorization: a stranger must not use up the quota of the agent or its sponsor.
    await authority.paidByIn(tx, () => agentPayer(tx, agent));
    const changed = await updateName(tx, { agentSeq: agent.agentSeq, name: body.name });
    trust.agentCache.changedIn(tx, agent);
    return passportIn(tx, trust, changed ?? agent);
  });
}
