import type { Ids } from '../../platform/ids.ts';
import type { Store } from '../../platform/store/store.ts';
import type { Transaction } from '../../platform/store/transaction.ts';
import { type Clock, timestamp } from '../../platform/time/clock.ts';
import { commonErrors } from '../http/errors.ts';
import type { Principals } from '../operators/auth/authenticate.ts';
import { createHolderKeyIn } from '../operators/holder-keys.ts';
import { operatorPayer, SignerAuthority } from '../operators/quotas/authorities.ts';
import type { Quotas } from '../operators/quotas/quotas.ts';
import type { LastingActs } from '../operators/restored/lasting-acts.ts';
import { type OperatorRow, operatorBySeq } from '../operators/status.ts';
import { type AuthorizationContext, type RequestLine, verifyAgentAuthIn } from './agent-auth.ts';
import type { AgentCache } from './agent-cache.ts';
import { challengeByNonce, consumeChallengeIn, requireActive } from './challenges.ts';
import { agentsErrors } from './errors.ts';
import { createOwnOperatorIn } from './own-operator.ts';
import { requireWork } from './proof-of-work.ts';
import type { HolderKeyRequest } from './schema.ts';
import { type AgentRow, updateSponsor } from './store.ts';
import { refuseSuspendedIn } from './suspended-sponsor.ts';

/**
 * Creates a holder key for an agent that authorizes the request, for example because it lost its key. An
 * agent without a sponsor gets an operator that sponsors it from then on, for the proof of work of
 * `startProvisioning`. A sponsor that was not created for the agent must already have a holder key for it.
 * @param line method, path and query string that the agent signed
 * @returns the key in full, which cannot be read again, and its operator
 * @throws ApiError as authorizedIn and createHolderKeyIn; forbidden while the sponsor is not active;
 * invalid_proof, challenge_not_found, challenge_expired where an operator is made without its proof of work
 */
export async function createHolderKey(
  trust: AuthorizationContext & {
    store: Store;
    ids: Ids;
    quotas: Quotas;
    principals: Principals;
    agentCache: AgentCache;
    acts: LastingActs;
  },
  commitment: string,
  line: RequestLine,
  { agent_auth: auth, ...body }: HolderKeyRequest,
) {
  const authority = new SignerAuthority(trust.quotas, null);
  const created = await trust.store.write(authority, async (tx) => {
    const agent = await verifyAgentAuthIn(tx, trust, commitment, { ...line, body }, auth);
    const sponsor = await sponsorOfIn(tx, trust, agent, body);
    const revokesOthers = body.revoke_others ?? false;
    const key = await createHolderKeyIn(tx, trust, sponsor, commitment, revokesOthers);
    // Charged last: a refusal rolls the nonce back, so a stranger could repeat a refused request and use up
    // the sponsor's quota. Revoking stolen keys is never refused: an attacker who has the key may have used
    // up the quota.
    await authority.paidByIn(tx, () => operatorPayer(sponsor), revokesOthers ? 'never refused' : 'refusable');
    return { operator_id: sponsor.operatorId, ...key };
  });
  if (created.revoked_keys > 0) await trust.acts.written();
  return created;
}

/**
 * Returns the agent's sponsor, or creates one for a proof of work.
 * @throws ApiError forbidden for a sponsor that is not active, and for a frozen agent without a sponsor;
 * those of `requireOwnWorkIn`
 */
async function sponsorOfIn(
  tx: Transaction,
  trust: { clock: Clock; ids: Ids; agentCache: AgentCache; quotas: Quotas },
  agent: AgentRow,
  proof: Proof,
): Promise<OperatorRow> {
  if (agent.sponsorSeq === null) {
    await refuseSuspendedIn(tx, null, agent);
    await requireOwnWorkIn(tx, trust, agent, proof);
    const operator = await createOwnOperatorIn(tx, trust, agent.subjectCommitment, agent.name);
    await trust.quotas.placeOperatorIn(tx, operator.operatorSeq, agent.agentSeq);
    await updateSponsor(tx, {
      ...{ agentSeq: agent.agentSeq, sponsorSeq: operator.operatorSeq },
      at: timestamp(trust.clock),
    });
    trust.agentCache.changedIn(tx, agent);
    return operator;
  }
  const sponsor = await operatorBySeq(tx, agent.sponsorSeq);
  if (sponsor?.accountStatus === 'ACTIVE') return sponsor;
  throw commonErrors.forbidden({
    message:
      'The sponsor is not active, so it cannot get new keys. Ask the administrator of the service to activate it.',
  });
}

/** The members of a request with a proof of work. */
type Proof = Pick<HolderKeyRequest, 'challenge_nonce' | 'pow_nonce'>;

/**
 * Consumes a challenge for the key of an agent whose proof of work a request has: an operator costs the same
 * in every way to it.
 * @throws ApiError invalid_proof, challenge_not_found, challenge_expired
 */
async function requireOwnWorkIn(
  tx: Transaction,
  trust: { clock: Clock },
  { publicKey }: AgentRow,
  { challenge_nonce, pow_nonce }: Proof,
): Promise<void> {
  if (challenge_nonce === undefined || pow_nonce === undefined) {
    throw agentsErrors.invalid_proof({
      message:
        'The agent has no sponsor, so this makes an operator for it, which needs a proof of work. Request a challenge with POST /api/v1/passport/agents/autonomous/challenge, and send challenge_nonce and pow_nonce.',
    });
  }
  const challenge = await challengeByNonce(tx, challenge_nonce);
  if (challenge?.purpose !== 'autonomous' || challenge.publicKey !== publicKey) {
    throw agentsErrors.challenge_not_found();
  }
  requireActive(challenge, timestamp(trust.clock));
  requireWork(challenge, { challenge_nonce, pow_nonce });
  await consumeChallengeIn(tx, trust, challenge);
}
