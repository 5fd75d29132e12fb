import { decodeBase64Url, encodeBase64Url } from '../encoding/base64.ts';
import { canonicalJson } from '../encoding/canonical-json.ts';
import { isJsonObject, type JsonValue, parseJsonBytes } from '../encoding/json.ts';

/** The purposes of a challenge: an enrollment with a sponsor, or an autonomous one by proof of work. */
export const CHALLENGE_PURPOSES = ['enroll', 'autonomous'] as const;
export type ChallengePurpose = (typeof CHALLENGE_PURPOSES)[number];

/** The content of a challenge's nonce. It limits a signature over the nonce to one purpose at one service. */
export interface Challenge {
  purpose: ChallengePurpose;
  /** Host and port of the service's URL, without the port that its scheme implies. */
  host: string;
  /** 64 hexadecimal characters; null when the commitment is not known yet (`autonomous`). */
  subjectCommitment: string | null;
  /** RFC 3339. */
  expiresAt: string;
  /** 32 random bytes in base64url. */
  random: string;
}

/**
 * The prefix of every nonce. The rest is longer than a digest, so a digest cannot be mistaken for a
 * challenge.
 */
const PREFIX = 'chal_';

/**
 * Returns the nonce that an agent signs: `chal_` and base64url of the challenge's canonical JSON (RFC 8785).
 */
export function challengeNonce({ purpose, host, subjectCommitment, expiresAt, random }: Challenge): string {
  const members = { purpose, host, subject_commitment: subjectCommitment, expires_at: expiresAt, random };
  return PREFIX + encodeBase64Url(new TextEncoder().encode(canonicalJson(members)));
}

/** Parses a nonce. Every challenge has exactly one encoding. @returns null for anything else */
export function readChallengeNonce(nonce: string): Challenge | null {
  const value = nonce.startsWith(PREFIX) ? jsonIn(nonce.slice(PREFIX.length)) : null;
  if (value === null || !isJsonObject(value)) return null;
  const { host, subject_commitment: subjectCommitment = null, expires_at: expiresAt, random } = value;
  const purpose = CHALLENGE_PURPOSES.find((known) => known === value.purpose);
  if (purpose === undefined || typeof host !== 'string') return null;
  if (typeof expiresAt !== 'string' || typeof random !== 'string') return null;
  if (subjectCommitment !== null && typeof subjectCommitment !== 'string') return null;
  if (![host, expiresAt, random, subjectCommitment ?? ''].every((text) => text.isWellFormed())) return null;
  const challenge = { purpose, host, subjectCommitment, expiresAt, random };
  // A different order of members, additional members or a non-canonical base64url do not reproduce the nonce.
  return challengeNonce(challenge) === nonce ? challenge : null;
}

/** Decodes JSON from base64url. @returns null for anything else */
function jsonIn(text: string): JsonValue {
  try {
    const bytes = decodeBase64Url(text);
    return bytes === null ? null : parseJsonBytes(bytes);
  } catch {
    return null;
  }
}
