import { canonicalJson } from '../encoding/canonical-json.ts';
import { isJsonObject, type JsonValue, parseJsonBytes } from '../encoding/json.ts';

/** What an agent's signature over a challenge brings about: an enrollment, or one by proof of work without a sponsor. */
export const CHALLENGE_PURPOSES = ['enroll', 'autonomous'] as const;
export type ChallengePurpose = (typeof CHALLENGE_PURPOSES)[number];

/** What the nonce of a challenge says of itself, so that a signature over it serves one purpose at one service. */
export interface Challenge {
  purpose: ChallengePurpose;
  /** Host and port of the service's URL, without the port that its scheme implies. */
  host: string;
  /** 64 hexadecimal characters; null where the commitment is not known yet (`autonomous`). */
  subjectCommitment: string | null;
  /** RFC 3339. */
  expiresAt: string;
  /** 32 random bytes in base64url. */
  random: string;
}

/** Begins every nonce. What follows is longer than a digest, so that no digest passes for a challenge. */
const PREFIX = 'chal_';

/** The nonce that an agent signs: `chal_` and base64url of the canonical JSON (RFC 8785) of what it says. */
export function challengeNonce({ purpose, host, subjectCommitment, expiresAt, random }: Challenge): string {
  const said = { purpose, host, subject_commitment: subjectCommitment, expires_at: expiresAt, random };
  return PREFIX + encodeBase64Url(new TextEncoder().encode(canonicalJson(said)));
}

/** Reads a nonce, of which every challenge has one spelling. @returns null for anything else */
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
  // Another order, more members or another spelling of the same bytes give another nonce.
  return challengeNonce(challenge) === nonce ? challenge : null;
}

/** @returns null for what is no base64url of JSON */
function jsonIn(text: string): JsonValue {
  try {
    return parseJsonBytes(Uint8Array.fromBase64(text, { alphabet: 'base64url' }));
  } catch {
    return null;
  }
}

function encodeBase64Url(bytes: Uint8Array): string {
  return bytes.toBase64({ alphabet: 'base64url', omitPadding: true });
}
