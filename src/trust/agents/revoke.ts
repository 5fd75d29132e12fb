import type { Once } from '../../platform/http/idempotency/once.ts';
import { timestampOf } from '../../platform/time/timestamp.ts';
import { commonErrors } from '../http/errors.ts';
import { actTime } from '../log/clock/dates.ts';
import type { Actor } from '../operators/auth/actor.ts';
import { type Principals, unauthorized } from '../operators/auth/authenticate.ts';
import { SignerAuthority } from '../operators/quotas/authorities.ts';
import type { Quotas } from '../operators/quotas/quotas.ts';
import { isLimited } from '../operators/scope.ts';
import type { Events } from '../webhooks/events.ts';
import { type RequestLine, verifyAgentAuthIn } from './agent-auth.ts';
import type { AgentContext } from './agent-context.ts';
import type { CredentialChanges } from './agent-records.ts';
import { actsForAgent, requireAgentIn } from './agents.ts';
import { agentsEvents } from './events.ts';
import { type Passport, passportIn } from './passport.ts';
import { agentPayer } from './payer.ts';
import { revokeIn } from './revocation.ts';
import type { RevokeAgentRequest } from './schema.ts';
import type { AgentRow } from './store.ts';

/**
 * Revokes an enrollment permanently, and logs it. From then on the agent counts as not enrolled. The request
 * needs an admin key, a key of its sponsor that no scope limits, or the agent's authorization.
 * @param line the request's method, path and query string; with an authorization, a query string is refused
 * @throws ApiError unauthorized, not_found, forbidden, invalid_state for an agent that is already revoked;
 * agent_not_enrolled, validation_error, invalid_proof, nonce_reused for an authorization
 */
export async function revokeAgent(
  trust: AgentContext & {
    principals: Principals;
    credentialCache: CredentialChanges;
    quotas: Quotas;
    events: Pick<Events, 'emitIn'>;
  },
  principal: Actor | null,
  commitment: string,
  line: RequestLine,
  { agent_auth: auth, ...body }: NonNullable<RevokeAgentRequest>,
  once: Once,
): Promise<Passport> {
  if (auth === undefined && principal === null) throw unauthorized();
  const { reason = null } = body;
  const authority = new SignerAuthority(trust.quotas, principal?.authority.neverRefused ?? null);
  return trust.store.write(authority, (tx) =>
    once(tx, async () => {
      const agent = await requireAgentIn(tx, commitment);
      if (auth !== undefined) await verifyAgentAuthIn(tx, trust, commitment, { ...line, body }, auth);
      else requireMayRevoke(principal, agent);
      await authority.paidByIn(tx, () => agentPayer(tx, agent), 'never refused');
      const time = actTime(trust, Date.parse(agent.issuedAt));
      const at = timestampOf(time);
      const revoked = await revokeIn(tx, trust, trust.log.open.revocations, agent, { at, reason });
      if (revoked === null) {
        throw commonErrors.invalid_state({
          message: `The agent was already revoked at ${agent.revokedAt}.`,
          members: { passport: await passportIn(tx, trust, agent) },
        });
      }
      trust.events.emitIn(tx, agentsEvents, {
        event: 'agent.revoked',
        data: { subject_commitment: commitment, reason },
        timestamp: at,
        operators: agent.sponsorSeq === null ? [] : [agent.sponsorSeq],
      });
      trust.principals.changedIn(tx);
      trust.agentCache.changedIn(tx, agent);
      trust.credentialCache.agentRevokedIn(tx, commitment);
      tx.afterCommit(() => trust.log.publisher.grown('revocations', at));
      return passportIn(tx, trust, revoked);
    }),
  );
}

/** @throws ApiError forbidden */
function requireMayRevoke(principal: Actor | null, agent: AgentRow): void {
  if (principal?.admin === true) return;
  if (principal === null || !actsForAgent(principal, agent)) {
    throw commonErrors.forbidden({
      message:
        "Only the agent's sponsor, an admin key or the agent itself (agent_auth) can revoke it. Use one of these.",
    });
  }
  // A revocation ends the use of all credits that the agent has, so a key that may spend only some of them
  // does not suffice.
  if (isLimited(principal.scope)) {
    throw commonErrors.forbidden({
      message:
        'The scope of this key limits what it may spend, so it cannot revoke an agent. Use a key without a scope, an admin key, or agent_auth.',
    });
  }
}
