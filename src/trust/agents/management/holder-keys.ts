import type { Transaction } from '../../../platform/store/transaction.ts';
import type { TrustContext } from '../../context.ts';
import { trustError } from '../../http/dialect.ts';
import { createHolderKeyIn } from '../../operators/api-keys/holder-keys.ts';
import { type OperatorRow, operatorBySeq } from '../../operators/status.ts';
import { operatorPayer, SignerAuthority } from '../../quotas/authorities.ts';
import { createOwnOperatorIn } from '../enrollment/unsponsored.ts';
import type { HolderKeyRequest } from '../schema.ts';
import { type AgentRow, updateSponsor } from '../store.ts';
import { type AuthorizationContext, type RequestLine, verifyAgentAuthIn } from './agent-auth.ts';

/**
 * Makes a holder key for an agent that authorizes it, so that one whose key was lost gets another. An agent without a sponsor gets an
 * operator of its own, which sponsors it from then on. Any other sponsor has to have given the agent a key that still works.
 * @param line of the request, which the agent signed
 * @returns the key, which is shown this once, and the operator that it belongs to
 * @throws ApiError as authorizedIn and createHolderKeyIn; forbidden while the sponsor's account is not active
 */
export async function createHolderKey(
  trust: AuthorizationContext & Pick<TrustContext, 'store' | 'ids' | 'quotas' | 'principals' | 'agentCache'>,
  commitment: string,
  line: RequestLine,
  { agent_auth: auth, ...body }: HolderKeyRequest,
) {
  const authority = new SignerAuthority(trust.quotas, null);
  return trust.store.write(authority, async (tx) => {
    const agent = await verifyAgentAuthIn(tx, trust, commitment, { ...line, body }, auth);
    const sponsor = await sponsorOfIn(tx, trust, agent);
    const revokesOthers = body.revoke_others ?? false;
    const key = await createHolderKeyIn(tx, trust, sponsor, commitment, revokesOthers);
    // Last: a refusal gives the nonce back, so a stranger could repeat a refused call and use up the sponsor's quota.
    // Whoever ends keys that were stolen is not kept from it by what the thief has written.
    await authority.paidByIn(tx, () => operatorPayer(sponsor), revokesOthers ? 'never refused' : 'refusable');
    return { operator_id: sponsor.operatorId, ...key };
  });
}

/** @throws ApiError forbidden for one whose account is not active */
async function sponsorOfIn(
  tx: Transaction,
  trust: Pick<TrustContext, 'clock' | 'ids' | 'agentCache'>,
  agent: AgentRow,
): Promise<OperatorRow> {
  if (agent.sponsorSeq === null) {
    const operator = await createOwnOperatorIn(tx, trust, agent.subjectCommitment, agent.name);
    await updateSponsor(tx, agent.agentSeq, operator.operatorSeq);
    trust.agentCache.changedIn(tx, agent);
    return operator;
  }
  const sponsor = await operatorBySeq(tx, agent.sponsorSeq);
  if (sponsor?.accountStatus === 'ACTIVE') return sponsor;
  throw trustError('forbidden', {
    message: 'The account of the sponsor is not active: it gets no new keys.',
  });
}
