import { randomBytes } from 'node:crypto';
import { type Clock, timestamp } from '../../platform/clock.ts';
import { nativePrimitives } from '../../platform/crypto.ts';
import type { Snapshot, Transaction } from '../../platform/store/transaction.ts';
import { DEFAULT_CONTEXT, subjectCommitment } from '../../proof/commitment.ts';
import { isStrictPublicKey, verifyStrict } from '../../proof/ed25519.ts';
import { hexToBytes } from '../../proof/hex.ts';
import type { Trust } from '../context.ts';
import { trustError } from '../dialect.ts';
import type { Principal } from '../operators/principals.ts';
import { operatorBySeq } from '../operators/service.ts';
import { agentIn } from './agents.ts';
import { issueAgentIn } from './issue.ts';
import { type Passport, passportIn } from './passport.ts';
import type { CompleteRequest, StartRequest } from './schema.ts';
import { type AgentRow, agentSql, type ChallengeRow } from './store.ts';

/** How long a challenge waits for its proof. */
const LIFETIME_MS = 300_000;
/** Challenges that wait for one commitment at a time. */
const MOST_LIVE = 5;

/**
 * Gives an agent a nonce to sign. It touches no other challenge, so nobody can take away another's.
 * @throws ApiError validation_error, forbidden for a revoked agent, rate_limit_exceeded while five wait already
 */
export async function startEnrollment(trust: Trust, principal: Principal | null, request: StartRequest) {
  const { public_key: publicKey, context = DEFAULT_CONTEXT, name = null } = request;
  await mustBePublicKey(publicKey);
  const commitment = subjectCommitment(nativePrimitives, publicKey, context);
  return trust.store.write((tx) => {
    refuseRevoked(agentIn(tx, commitment));
    refuseCrowd(tx, commitment, trust.clock);
    const { nonce, expiresAt } = challengeIn(tx, trust.clock, LIFETIME_MS, {
      kind: 'enrollment',
      publicKey,
      subjectCommitment: commitment,
      context,
      name,
      sponsorSeq: principal?.operatorSeq ?? null,
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
 * @throws ApiError challenge_not_found, challenge_expired, invalid_proof, forbidden
 */
export async function completeEnrollment(
  trust: Trust,
  principal: Principal | null,
  { subject_commitment: commitment, signature }: CompleteRequest,
): Promise<{ passport: Passport; isNew: boolean }> {
  const waiting = await trust.store.read((snapshot) => liveChallenges(snapshot, commitment, trust.clock));
  const bytes = hexToBytes(signature);
  const met = waiting.find(({ nonce, publicKey }) =>
    verifyStrict(nativePrimitives, bytes, Buffer.from(nonce), hexToBytes(publicKey)),
  );
  if (met === undefined) throw trustError('invalid_proof');
  return trust.store.write((tx) => {
    const known = agentIn(tx, commitment);
    refuseRevoked(known);
    if (agentSql(tx).consumeChallenge.get(met) === undefined) throw trustError('challenge_not_found');
    const agent =
      known ?? issueAgentIn(tx, trust, { ...identityOf(met), sponsorSeq: sponsorIn(tx, met, principal) });
    return { passport: passportIn(tx, trust, agent), isNew: known === undefined };
  });
}

/** Writes a challenge. */
export function challengeIn(
  tx: Transaction,
  clock: Clock,
  lifetimeMs: number,
  challenge: Omit<ChallengeRow, 'challengeSeq' | 'nonce' | 'createdAt' | 'expiresAt'>,
): { nonce: string; expiresAt: string } {
  // Never 64 hexadecimal characters, so that no digest passes for a challenge.
  const nonce = `chal_${randomBytes(32).toString('base64url')}`;
  const expiresAt = timestamp({ now: () => clock.now() + lifetimeMs });
  agentSql(tx).insertChallenge.run({ ...challenge, nonce, createdAt: timestamp(clock), expiresAt });
  return { nonce, expiresAt };
}

/**
 * Refuses what no agent could hold the private half of, or what several could: small or mixed order, no canonical encoding, off
 * the curve. Pure JavaScript, 0.6 ms.
 * @throws ApiError validation_error
 */
export async function mustBePublicKey(publicKey: string): Promise<void> {
  const bytes = hexToBytes(publicKey);
  const { isPrimeOrderPoint } = await import('../../proof/noble.ts');
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

/** @throws ApiError rate_limit_exceeded, with the time after which one of them has gone */
function refuseCrowd(tx: Transaction, commitment: string, clock: Clock): void {
  const now = timestamp(clock);
  const live = agentSql(tx).countLiveChallenges.get({ subjectCommitment: commitment, now });
  if (live === undefined || live.challenges < MOST_LIVE || live.oldest === null) return;
  const seconds = Math.max(1, Math.ceil((Date.parse(live.oldest) - clock.now()) / 1000));
  throw trustError('rate_limit_exceeded', {
    message: `${MOST_LIVE} challenges wait for this commitment already.`,
    headers: { 'retry-after': String(seconds) },
  });
}

/** @throws ApiError challenge_not_found, challenge_expired */
function liveChallenges(snapshot: Snapshot, subjectCommitment: string, clock: Clock): ChallengeRow[] {
  const all = agentSql(snapshot).challengesFor.all({ subjectCommitment });
  if (all.length === 0) throw trustError('challenge_not_found');
  const now = timestamp(clock);
  const live = all.filter(({ expiresAt }) => expiresAt > now);
  if (live.length === 0) throw trustError('challenge_expired');
  return live;
}

function identityOf({ publicKey, context, name }: ChallengeRow) {
  return { publicKey, context: context ?? DEFAULT_CONTEXT, name };
}

/**
 * The operator whose key was on `start`; if none, on `complete`.
 * @throws ApiError forbidden for two different, and for one that has been suspended since
 */
function sponsorIn(
  snapshot: Snapshot,
  { sponsorSeq }: ChallengeRow,
  principal: Principal | null,
): number | null {
  if (sponsorSeq !== null && principal !== null && principal.operatorSeq !== sponsorSeq) {
    throw trustError('forbidden', { message: "The enrollment was started with another operator's key." });
  }
  const seq = sponsorSeq ?? principal?.operatorSeq ?? null;
  if (seq !== null && operatorBySeq(snapshot, seq)?.accountStatus !== 'ACTIVE') {
    throw trustError('forbidden', { message: 'The account of the sponsor is not active.' });
  }
  return seq;
}
