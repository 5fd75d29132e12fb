import type { Once } from '../../../platform/http/idempotency/once.ts';
import type { Store } from '../../../platform/store/store.ts';
import type { Transaction } from '../../../platform/store/transaction.ts';
import { timestamp } from '../../../platform/time/clock.ts';
import { actTime } from '../../clock/dates.ts';
import { commonErrors } from '../../http/errors.ts';
import type { Actor } from '../../operators/auth/actor.ts';
import type { Principals } from '../../operators/auth/principals.ts';
import { type Principal, unauthorized } from '../../operators/auth/principals.ts';
import { SignerAuthority } from '../../operators/quotas/authorities.ts';
import type { Quotas } from '../../operators/quotas/quotas.ts';
import { isLimited } from '../../operators/scope.ts';
import { operatorById, operatorBySeq } from '../../operators/status.ts';
import { type AuthorizationContext, type RequestLine, verifyAgentAuthIn } from '../agent-auth.ts';
import type { AgentCache } from '../agent-cache.ts';
import type { CredentialChanges } from '../agent-records.ts';
import { actsForAgent, requireAgentIn, requireEnrolledAgentIn } from '../agents.ts';
import { type Passport, type PassportContext, passportIn } from '../passport.ts';
import { agentPayer } from '../payer.ts';
import { revokeIn } from '../revocation/revocation.ts';
import type { NameRequest, RevokeAgentRequest, SponsorRequest } from '../schema.ts';
import { type AgentRow, updateName, updateSponsor } from '../store.ts';

/** The parts of the service that changing an agent and returning its passport use. */
type AgentContext = PassportContext & AuthorizationContext & { store: Store; agentCache: AgentCache };

/**
 * Revokes an enrollment permanently, and logs it. From then on the agent counts as not enrolled. The request needs an admin key, a key of
 * its sponsor that no scope limits, or the agent's authorization.
 * @param line the request's method, path and query string; with an authorization, a query string is refused
 * @throws ApiError unauthorized, not_found, forbidden, invalid_state for an agent that is already revoked; agent_not_enrolled,
 * validation_error, invalid_proof, nonce_reused for an authorization
 */
export async function revokeAgent(
  trust: AgentContext & { principals: Principals; credentialCache: CredentialChanges; quotas: Quotas },
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
      const at = timestamp({ now: () => time });
      const revoked = await revokeIn(tx, trust, trust.log.open.revocations, agent, { at, reason });
      if (revoked === undefined) {
        throw commonErrors.invalid_state({
          message: `The agent was already revoked at ${agent.revokedAt}.`,
          members: { passport: await passportIn(tx, trust, agent) },
        });
      }
      trust.principals.changedIn(tx);
      trust.agentCache.changedIn(tx, agent);
      trust.credentialCache.agentRevokedIn(tx, commitment);
      tx.afterCommit(() => trust.log.publisher.grown('revocations'));
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
  // A revocation ends the use of all credits that the agent has, so a key that may spend only some of them does not suffice.
  if (isLimited(principal.scope)) {
    throw commonErrors.forbidden({
      message:
        'The scope of this key limits what it may spend, so it cannot revoke an agent. Use a key without a scope, an admin key, or agent_auth.',
    });
  }
}

/**
 * Refuses to change who an agent belongs to or what it is called while its sponsor is suspended: the suspension would not hold. Admin keys
 * may change both.
 * @throws ApiError forbidden
 */
async function refuseSuspendedIn(
  tx: Transaction,
  principal: Principal | null,
  { sponsorSeq }: AgentRow,
): Promise<void> {
  if (sponsorSeq === null || principal?.admin === true) return;
  const sponsor = await operatorBySeq(tx, sponsorSeq);
  if (sponsor?.accountStatus !== 'SUSPENDED') return;
  throw commonErrors.forbidden({
    message:
      "The account of the agent's sponsor is suspended, so only an admin key can change the agent's sponsor and name. Ask the " +
      'administrator of the service.',
  });
}

/**
 * Changes an agent's sponsor. An admin key that no scope limits may name any operator; any other key names its operator and needs the agent's
 * authorization.
 * @param line the request's method, path and query string; with an authorization, a query string is refused
 * @throws ApiError not_found, forbidden, validation_error, invalid_proof, nonce_reused
 */
export async function setSponsor(
  trust: AgentContext,
  principal: Principal,
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
      const sponsorSeq = await sponsorSeqIn(tx, principal, body.operator_id);
      const changed = await updateSponsor(tx, agent.agentSeq, sponsorSeq);
      trust.agentCache.changedIn(tx, agent);
      return passportIn(tx, trust, changed ?? agent);
    }),
  );
}

/**
 * Sets or clears an agent's name. The request needs its sponsor's issuer key, an admin key or its authorization.
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
    else if (principal === null || !(principal.admin || actsForAgent(principal, agent))) {
      throw commonErrors.forbidden({
        message:
          "The request needs a key of the agent's sponsor, an admin key, or the agent's authorization (agent_auth).",
      });
    }
    await refuseSuspendedIn(tx, principal, agent);
    // Charged after authorization: a stranger must not use up the quota of the agent or its sponsor.
    await authority.paidByIn(tx, () => agentPayer(tx, agent));
    const changed = await updateName(tx, agent.agentSeq, body.name);
    trust.agentCache.changedIn(tx, agent);
    return passportIn(tx, trust, changed ?? agent);
  });
}

/** @throws ApiError forbidden if a key without admin rights names another operator or none; validation_error */
async function sponsorSeqIn(
  tx: Transaction,
  principal: Principal,
  operatorId: string | null,
): Promise<number | null> {
  if (!principal.admin && operatorId !== principal.operatorId) {
    throw commonErrors.forbidden({
      message:
        'Only an admin key may remove the sponsor or name another operator. Use an admin key, or your own operator_id.',
    });
  }
  if (operatorId === null) return null;
  const operator = await operatorById(tx, operatorId);
  if (operator?.accountStatus === 'ACTIVE') return operator.operatorSeq;
  const wrong = operator === undefined ? 'must be an operator of this service' : 'must be an active operator';
  throw commonErrors.validation_error({ issues: { operator_id: [wrong] } });
}
