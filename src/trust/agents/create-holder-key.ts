import type { Ids } from '../../platform/ids.ts';
import type { Store } from '../../platform/store/store.ts';
import type { Transaction } from '../../platform/store/transaction.ts';
import type { Clock } from '../../platform/time/clock.ts';
import { commonErrors } from '../http/errors.ts';
import type { Principals } from '../operators/auth/authenticate.ts';
import { createHolderKeyIn } from '../operators/holder-keys.ts';
import { operatorPayer, SignerAuthority } from '../operators/quotas/authorities.ts';
import type { Quotas } from '../operators/quotas/quotas.ts';
import type { LastingActs } from '../operators/restored/lasting-acts.ts';
import { type OperatorRow, operatorBySeq } from '../operators/status.ts';
import { type AuthorizationContext, type RequestLine, verifyAgentAuthIn } from './agent-auth.ts';
import type { AgentCache } from './agent-cache.ts';
import { createOwnOperatorIn } from './own-operator.ts';
import type { HolderKeyRequest } from './schema.ts';
import { type AgentRow, updateSponsor } from './store.ts';
import { refuseSuspendedIn } from './suspended-sponsor.ts';

/**
 * Creates a holder key for an agent that authorizes the request, for example because it lost its key. An
 * agent without a sponsor gets an operator that sponsors it from then on. A sponsor that was not created for
 * the agent must already have a holder key for it.
 * @param line method, path and query string that the agent signed
 * @returns the key in full, which cannot be read again, and its operator
 * @throws ApiError as authorizedIn and createHolderKeyIn; forbidden while the sponsor is not active
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
    const sponsor = await sponsorOfIn(tx, trust, agent);
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
 * Returns the agent's sponsor, or creates one.
 * @throws ApiError forbidden for a sponsor that is not active, and for a frozen agent without a sponsor
 */
async function sponsorOfIn(
  tx: Transaction,
  trust: { clock: Clock; ids: Ids; agentCache: AgentCache },
  agent: AgentRow,
): Promise<OperatorRow> {
  if (agent.sponsorSeq === null) {
    await refuseSuspendedIn(tx, null, agent);
    const operator = await createOwnOperatorIn(tx, trust, agent.subjectCommitment, agent.name);
    await updateSponsor(tx, { agentSeq: agent.agentSeq, sponsorSeq: operator.operatorSeq });
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
