import { nativePrimitives } from '../../platform/crypto/crypto.ts';
import type { Store } from '../../platform/store/store.ts';
import type { Snapshot, Transaction } from '../../platform/store/transaction.ts';
import type { Clock } from '../../platform/time/clock.ts';
import { DEFAULT_CONTEXT, subjectCommitment } from '../../proof/agent/commitment.ts';
import { commonErrors } from '../http/errors.ts';
import type { Principal } from '../operators/auth/authenticate.ts';
import { SignerAuthority } from '../operators/quotas/authorities.ts';
import type { Quotas } from '../operators/quotas/quotas.ts';
import { requireRunning } from '../operators/scope.ts';
import { keyOfOperator, operatorBySeq } from '../operators/status.ts';
import type { Events } from '../webhooks/events.ts';
import type { AgentRecords } from './agent-records.ts';
import { findAgentIn } from './agents.ts';
import { type Caller, consumeChallengeIn, createChallengeIn, findProvenChallenge } from './challenges.ts';
import { type AgentIdentity, createAgentIn, type NewAgent } from './create-agent.ts';
import { type Passport, type PassportContext, passportIn } from './passport.ts';
import { agentPayer } from './payer.ts';
import { requirePublicKey } from './public-key.ts';
import { refuseRevokedIn } from './revocation.ts';
import type { CompleteRequest, StartRequest } from './schema.ts';
import type { AgentRow, ChallengeRow } from './store.ts';

/** The lifetime of a challenge. */
const LIFETIME_MS = 300_000;

/**
 * Creates a challenge whose nonce the agent signs.
 * @throws ApiError validation_error, forbidden for a revoked agent, rate_limit_exceeded while the caller has
 * five open challenges
 */
export async function startEnrollment(
  trust: { store: Store; clock: Clock; url: string | null; quotas: Quotas },
  caller: Caller,
  request: StartRequest,
) {
  const { public_key: publicKey, context = DEFAULT_CONTEXT, name = null } = request;
  await requirePublicKey(publicKey);
  const commitment = subjectCommitment(nativePrimitives, publicKey, context);
  const authority = new SignerAuthority(trust.quotas, caller.principal?.authority ?? null);
  return trust.store.write(authority, async (tx) => {
    await refuseRevokedIn(tx, commitment, await findAgentIn(tx, commitment));
    const { nonce, expiresAt } = await createChallengeIn(tx, trust, caller, LIFETIME_MS, {
      purpose: 'enroll',
      publicKey,
      subjectCommitment: commitment,
      context,
      name,
      sponsorSeq: caller.principal?.operatorSeq ?? null,
      keyHash: caller.principal?.keyHash ?? null,
      powDifficulty: null,
    });
    return {
      subject_commitment: commitment,
      status: 'PENDING' as const,
      challenge_nonce: nonce,
      expires_at: expiresAt,
    };
  });
}

/**
 * Verifies the signed nonce and enrolls the agent. An enrolled agent gets its existing passport.
 * @returns the passport, and whether the agent is new
 * @throws ApiError challenge_not_found, challenge_expired, invalid_proof, forbidden, scope_ended,
 * rate_limit_exceeded, quota_exceeded
 */
export async function completeEnrollment(
  trust: PassportContext & { store: Store; clock: Clock; quotas: Quotas; events: Events },
  caller: Caller,
  request: CompleteRequest,
): Promise<{ passport: Passport; isNew: boolean }> {
  const { subject_commitment: commitment, signature, challenge_nonce: nonce = null } = request;
  const challenge = await trust.store.read((snapshot) =>
    findProvenChallenge(snapshot, trust, caller, { subjectCommitment: commitment, signature, nonce }),
  );
  const { principal, address } = caller;
  const authority = new SignerAuthority(trust.quotas, principal?.authority ?? null);
  return trust.store.write(authority, async (tx) => {
    const known = await findAgentIn(tx, commitment);
    await refuseRevokedIn(tx, commitment, known);
    await consumeChallengeIn(tx, trust, challenge);
    const sponsorSeq = await sponsorIn(tx, trust, challenge, principal);
    const agent = known ?? (await enrollIn(tx, trust, { ...identityOf(challenge), sponsorSeq }, address));
    await authority.paidByIn(tx, () => agentPayer(tx, agent));
    return { passport: await passportIn(tx, trust, agent), isNew: known === null };
  });
}

function enrollIn(
  tx: Transaction,
  trust: { clock: Clock; events: Events; quotas: Quotas; agentRecords: AgentRecords },
  agent: NewAgent,
  address: string,
): Promise<AgentRow> {
  return agent.sponsorSeq === null
    ? enrollUnsponsoredIn(tx, trust, agent, address)
    : createAgentIn(tx, trust, agent);
}

/**
 * Enrolls an agent without a sponsor, within the daily limit of its address. No other function does, so the
 * limit holds everywhere.
 * @param address of the caller, as the rate limits see it
 * @throws ApiError rate_limit_exceeded, quota_exceeded
 */
async function enrollUnsponsoredIn(
  tx: Transaction,
  trust: { clock: Clock; events: Events; quotas: Quotas; agentRecords: AgentRecords },
  identity: AgentIdentity,
  address: string,
): Promise<AgentRow> {
  const network = await trust.quotas.provisionIn(tx, address);
  const agent = await createAgentIn(tx, trust, { ...identity, sponsorSeq: null });
  await trust.quotas.placeIn(tx, { payer: 'agent', payerSeq: agent.agentSeq }, network);
  return agent;
}

function identityOf({ publicKey, context, name }: ChallengeRow): AgentIdentity {
  return { publicKey, context: context ?? DEFAULT_CONTEXT, name };
}

/**
 * Returns the operator whose key came with `start`, else with `complete`; null without a key.
 * @throws ApiError forbidden if the two differ, if its account is no longer active, and if the key of `start`
 * was deleted; scope_ended if its scope has ended
 */
async function sponsorIn(
  snapshot: Snapshot,
  { clock }: { clock: Clock },
  { sponsorSeq, keyHash }: ChallengeRow,
  principal: Principal | null,
): Promise<number | null> {
  if (sponsorSeq !== null && principal !== null && principal.operatorSeq !== sponsorSeq) {
    throw commonErrors.forbidden({
      message:
        "The enrollment was started with another operator's key. Complete it with a key of the same operator.",
    });
  }
  if (sponsorSeq !== null) {
    const key = keyHash === null ? null : await keyOfOperator(snapshot, { operatorSeq: sponsorSeq, keyHash });
    if (key === null) {
      throw commonErrors.forbidden({
        message: 'The API key that started the enrollment was deleted. Start the enrollment again.',
      });
    }
    requireRunning(key, clock.now());
  }
  const seq = sponsorSeq ?? principal?.operatorSeq ?? null;
  const sponsor = seq === null ? null : await operatorBySeq(snapshot, seq);
  if (seq !== null && sponsor?.accountStatus !== 'ACTIVE') {
    throw commonErrors.forbidden({ message: 'The sponsor is not active.' });
  }
  return seq;
}
