import { randomBytes } from 'node:crypto';
import { nativePrimitives, sha256Hex } from '../../platform/crypto/crypto.ts';
import type { Snapshot, Transaction } from '../../platform/store/transaction.ts';
import type { Clock } from '../../platform/time/clock.ts';
import { timestamp } from '../../platform/time/clock.ts';
import { timestampOf } from '../../platform/time/timestamp.ts';
import { challengeNonce } from '../../proof/agent/challenge.ts';
import { hexToBytes } from '../../proof/encoding/hex.ts';
import { verifyStrict } from '../../proof/keys/ed25519.ts';
import { commonErrors } from '../http/errors.ts';
import type { Principal } from '../operators/auth/authenticate.ts';
import { agentsErrors } from './errors.ts';
import {
  type ChallengeRow,
  challengeByNonce,
  challengesFor,
  consumeChallenge,
  countActiveChallenges,
  insertChallenge,
} from './store.ts';

export { challengeByNonce } from './store.ts';

/** Limit of active challenges of one caller for one agent. */
const MAX_ACTIVE = 5;

/**
 * The number of challenges that a proof without a nonce is checked against: the caller's first, then the
 * newest of other callers. Each costs a signature check (0.1 ms). A caller whose challenge is not among these
 * must send the nonce.
 */
const MAX_CANDIDATES = { ofCaller: 2 * MAX_ACTIVE, active: 15, expired: 5, consumed: 5 };

/** The caller of a request. */
export interface Caller {
  /** Authenticated by the API key of the request; null without one. */
  principal: Principal | null;
  /** The IPv4 address, or the /64 prefix of the IPv6 address. */
  address: string;
}

/** The subject of a challenge: the purpose, the agent and its sponsor. */
export type ChallengeSubject = Pick<
  ChallengeRow,
  | 'purpose'
  | 'publicKey'
  | 'subjectCommitment'
  | 'context'
  | 'name'
  | 'sponsorSeq'
  | 'keyHash'
  | 'powDifficulty'
>;

/**
 * Creates a challenge. It replaces no other challenge, so a caller cannot remove another caller's.
 * @returns its nonce, which contains purpose, host, agent and expiry
 * @throws ApiError rate_limit_exceeded while the caller has five open challenges
 */
export async function createChallengeIn(
  tx: Transaction,
  { clock, url }: { clock: Clock; url: string | null },
  caller: Caller,
  lifetimeMs: number,
  subject: ChallengeSubject,
): Promise<{ nonce: string; expiresAt: string }> {
  const callerHash = callerHashOf(caller);
  const createdAt = timestamp(clock);
  await limitActiveChallengesIn(tx, clock, { ...subject, caller: callerHash, now: createdAt });
  const expiresAt = timestampOf(clock.now() + lifetimeMs);
  const nonce = challengeNonce({
    purpose: subject.purpose,
    // The host comes from the settings: a caller can write anything into the Host header.
    host: new URL(url ?? 'http://localhost').host,
    subjectCommitment: subject.subjectCommitment,
    expiresAt,
    random: randomBytes(32).toString('base64url'),
  });
  await insertChallenge(tx, { ...subject, nonce, caller: callerHash, createdAt, expiresAt });
  return { nonce, expiresAt };
}

/**
 * Finds the enrollment challenge that a signature was made over: the one with the given nonce, else one of
 * the commitment's.
 * @returns a challenge that was active when it was read
 * @throws ApiError challenge_not_found, including for a consumed one; challenge_expired; invalid_proof
 */
export async function findProvenChallenge(
  snapshot: Snapshot,
  { clock }: { clock: Clock },
  caller: Caller,
  proof: { subjectCommitment: string; signature: string; nonce: string | null },
): Promise<ChallengeRow> {
  const now = timestamp(clock);
  const candidates =
    proof.nonce === null
      ? await challengesToTry(snapshot, caller, proof.subjectCommitment, now)
      : await namedChallenge(snapshot, proof.subjectCommitment, proof.nonce);
  const signature = hexToBytes(proof.signature);
  const challenge = candidates.find(({ nonce, publicKey }) =>
    verifyStrict(nativePrimitives, signature, Buffer.from(nonce), hexToBytes(publicKey)),
  );
  if (challenge !== undefined) {
    requireActive(challenge, now);
    return challenge;
  }
  if (candidates.some(({ consumedAt, expiresAt }) => consumedAt === null && expiresAt > now)) {
    throw agentsErrors.invalid_proof();
  }
  throw (
    candidates.some(({ consumedAt }) => consumedAt === null)
      ? agentsErrors.challenge_expired
      : agentsErrors.challenge_not_found
  )();
}

/**
 * Marks a challenge as consumed.
 * @throws ApiError challenge_not_found if another proof consumed it, challenge_expired
 */
export async function consumeChallengeIn(
  tx: Transaction,
  { clock }: { clock: Clock },
  challenge: ChallengeRow,
): Promise<void> {
  const now = timestamp(clock);
  const { challengeSeq, nonce } = challenge;
  if (await consumeChallenge(tx, challengeSeq, now)) return;
  requireActive(await challengeByNonce(tx, nonce), now);
}

/** @throws ApiError challenge_not_found, challenge_expired */
export function requireActive(challenge: ChallengeRow | null, now: string): void {
  if (challenge === null || challenge.consumedAt !== null) throw agentsErrors.challenge_not_found();
  if (challenge.expiresAt <= now) throw agentsErrors.challenge_expired();
}

/** Identifies a caller for the limit by its key, else by its address. The hash gives both the same length. */
function callerHashOf({ principal, address }: Caller): string {
  return sha256Hex(principal === null ? `address:${address}` : `key:${principal.keyHash}`);
}

/** Returns the challenges that a signature may cover, the most likely first. */
function challengesToTry(
  snapshot: Snapshot,
  caller: Caller,
  subjectCommitment: string,
  now: string,
): Promise<ChallengeRow[]> {
  return challengesFor(snapshot, { subjectCommitment, caller: callerHashOf(caller), now }, MAX_CANDIDATES);
}

async function namedChallenge(
  snapshot: Snapshot,
  subjectCommitment: string,
  nonce: string,
): Promise<ChallengeRow[]> {
  const challenge = await challengeByNonce(snapshot, nonce);
  const isOfAgent = challenge?.purpose === 'enroll' && challenge.subjectCommitment === subjectCommitment;
  return isOfAgent ? [challenge] : [];
}

/** @throws ApiError rate_limit_exceeded, with the seconds until the first of them expires as retry-after */
async function limitActiveChallengesIn(
  tx: Transaction,
  clock: Clock,
  subject: Pick<ChallengeRow, 'caller' | 'subjectCommitment' | 'publicKey'> & { now: string },
): Promise<void> {
  const { challenges, firstExpiry } = await countActiveChallenges(tx, subject);
  if (challenges < MAX_ACTIVE || firstExpiry === null) return;
  const seconds = Math.max(1, Math.ceil((Date.parse(firstExpiry) - clock.now()) / 1000));
  throw commonErrors.rate_limit_exceeded({
    message: `You already have ${MAX_ACTIVE} open challenges for this agent. Complete one, or wait until one expires.`,
    headers: { 'retry-after': String(seconds) },
  });
}
