import { nativePrimitives } from '../../../platform/crypto/crypto.ts';
import type { Snapshot, Transaction } from '../../../platform/store/transaction.ts';
import { DEFAULT_CONTEXT, subjectCommitment } from '../../../proof/agent/commitment.ts';
import { hexToBytes } from '../../../proof/encoding/hex.ts';
import { isStrictPublicKey } from '../../../proof/keys/ed25519.ts';
import type { TrustContext } from '../../context.ts';
import { trustError } from '../../http/dialect.ts';
import type { Principal } from '../../operators/auth/principals.ts';
import { hasKey, operatorBySeq } from '../../operators/status.ts';
import { SignerAuthority } from '../../quotas/authorities.ts';
import { findAgentIn } from '../agents.ts';
import { type Passport, type PassportContext, passportIn } from '../passport.ts';
import { agentPayer } from '../payer.ts';
import type { CompleteRequest, StartRequest } from '../schema.ts';
import type { AgentRow, ChallengeRow } from '../store.ts';
import { type Caller, consumeChallengeIn, createChallengeIn, findProvenChallenge } from './challenges.ts';
import { type AgentIdentity, createAgentIn, type NewAgent } from './create-agent.ts';
import { enrollUnsponsoredIn } from './unsponsored.ts';

/** How long a challenge waits for its proof. */
const LIFETIME_MS = 300_000;

/**
 * Gives an agent a nonce to sign.
 * @throws ApiError validation_error, forbidden for a revoked agent, rate_limit_exceeded while five of the caller's wait already
 */
export async function startEnrollment(
  trust: Pick<TrustContext, 'store' | 'clock' | 'url' | 'quotas'>,
  caller: Caller,
  request: StartRequest,
) {
  const { public_key: publicKey, context = DEFAULT_CONTEXT, name = null } = request;
  await requirePublicKey(publicKey);
  const commitment = subjectCommitment(nativePrimitives, publicKey, context);
  const authority = new SignerAuthority(trust.quotas, caller.principal?.authority ?? null);
  return trust.store.write(authority, async (tx) => {
    refuseRevoked(await findAgentIn(tx, commitment));
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
 * Takes the signed nonce. An agent that is enrolled already gets the passport that it has.
 * @returns the passport, and whether the agent is a new one
 * @throws ApiError challenge_not_found, challenge_expired, invalid_proof, forbidden, rate_limit_exceeded, quota_exceeded
 */
export async function completeEnrollment(
  trust: PassportContext & Pick<TrustContext, 'store' | 'clock' | 'quotas' | 'events'>,
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
    refuseRevoked(known);
    await consumeChallengeIn(tx, trust, challenge);
    const sponsorSeq = await sponsorIn(tx, challenge, principal);
    const agent = known ?? (await enrollIn(tx, trust, { ...identityOf(challenge), sponsorSeq }, address));
    await authority.paidByIn(tx, () => agentPayer(tx, agent));
    return { passport: await passportIn(tx, trust, agent), isNew: known === undefined };
  });
}

/**
 * Refuses what no agent could hold the private half of, or what several could: small or mixed order, no canonical encoding, off
 * the curve. Pure JavaScript, 0.6 ms.
 * @throws ApiError validation_error
 */
export async function requirePublicKey(publicKey: string): Promise<void> {
  const bytes = hexToBytes(publicKey);
  const { isPrimeOrderPoint } = await import('../../../proof/noble.ts');
  if (isStrictPublicKey(bytes) && isPrimeOrderPoint(bytes)) return;
  throw trustError('validation_error', {
    issues: {
      public_key: [
        'must be an Ed25519 public key: a canonical point of the prime-order group, not of small or mixed order',
      ],
    },
  });
}

/** @throws ApiError forbidden */
export function refuseRevoked(agent: AgentRow | undefined): void {
  if (agent?.state !== 'REVOKED') return;
  throw trustError('forbidden', { message: 'The agent was revoked, and stays so: enroll with another key.' });
}

function enrollIn(
  tx: Transaction,
  trust: Pick<TrustContext, 'clock' | 'events' | 'quotas'>,
  agent: NewAgent,
  address: string,
): Promise<AgentRow> {
  return agent.sponsorSeq === null
    ? enrollUnsponsoredIn(tx, trust, agent, address)
    : createAgentIn(tx, trust, agent);
}

function identityOf({ publicKey, context, name }: ChallengeRow): AgentIdentity {
  return { publicKey, context: context ?? DEFAULT_CONTEXT, name };
}

/**
 * The operator whose key was on `start`; if none, on `complete`.
 * @throws ApiError forbidden for two different, for one that has been suspended since, and if the key on `start` has been deleted
 */
async function sponsorIn(
  snapshot: Snapshot,
  { sponsorSeq, keyHash }: ChallengeRow,
  principal: Principal | null,
): Promise<number | null> {
  if (sponsorSeq !== null && principal !== null && principal.operatorSeq !== sponsorSeq) {
    throw trustError('forbidden', { message: "The enrollment was started with another operator's key." });
  }
  if (sponsorSeq !== null && (keyHash === null || !(await hasKey(snapshot, sponsorSeq, keyHash)))) {
    throw trustError('forbidden', {
      message: 'The API key that started the enrollment was deleted: start it again.',
    });
  }
  const seq = sponsorSeq ?? principal?.operatorSeq ?? null;
  const sponsor = seq === null ? undefined : await operatorBySeq(snapshot, seq);
  if (seq !== null && sponsor?.accountStatus !== 'ACTIVE') {
    throw trustError('forbidden', { message: 'The account of the sponsor is not active.' });
  }
  return seq;
}
