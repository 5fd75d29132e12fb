import { canonicalJson } from '../encoding/canonical-json.ts';
import { textDigest } from '../encoding/digest.ts';
import { hexToBytes } from '../encoding/hex.ts';
import type { JsonObject } from '../encoding/json.ts';
import { isStrictForm, verifyStrict } from '../keys/ed25519.ts';
import type { Primitives } from '../primitives.ts';

/**
 * How an agent's signature over a JSON object was read: over the 64 characters of its digest, as everything here is signed; or
 * as clients in the field do it as well: over the digest's 32 bytes, or over the characters of the digest of JSON of which
 * only the topmost members are sorted.
 */
export const READINGS = ['digest', 'raw', 'shallow'] as const;

export type Reading = (typeof READINGS)[number];

const utf8 = new TextEncoder();

/** An object's canonical JSON (RFC 8785), and the digest of it in 64 hexadecimal characters. */
export interface Canonical {
  text: string;
  digest: string;
}

/** @throws CanonicalJsonError */
export function canonicalOf(primitives: Primitives, object: JsonObject): Canonical {
  const text = canonicalJson(object);
  return { text, digest: textDigest(primitives, text) };
}

/** A call that an agent authorizes, as the signed object names it. */
export interface AgentAuthorization {
  /** Upper case. */
  method: string;
  /** The path of the request's URL, as it is sent. */
  path: string;
  /** The body without `agent_auth`. */
  body: JsonObject;
  /** The installation that the call goes to, as its `GET /api/v1/public-key` names it. */
  audience: string;
  /** The agent that authorizes. */
  commitment: string;
  /** 16 to 64 characters, used once. */
  nonce: string;
  /** RFC 3339. */
  expires_at: string;
}

/** What an agent signs to authorize a call (`agent_auth`): the 64 characters of the digest. @throws CanonicalJsonError */
export function agentAuthMessage(primitives: Primitives, authorization: AgentAuthorization): Uint8Array {
  const { method, path, body, audience, commitment, nonce, expires_at } = authorization;
  const said = { type: 'agent-auth', method, path, body, audience, commitment, nonce, expires_at };
  return utf8.encode(canonicalOf(primitives, said).digest);
}

/** Checks an Ed25519 signature without any guard of its own, somewhere beside the caller's thread. */
export type VerifyAsync = (
  signature: Uint8Array,
  message: Uint8Array,
  publicKey: Uint8Array,
) => Promise<boolean>;

/**
 * Which reading of an object an agent's signature fits, the strict one first; null for none. Verification is strict.
 * @param signature 64 bytes @param publicKey 32 bytes @throws CanonicalJsonError
 */
export function objectReading(
  primitives: Primitives,
  signature: Uint8Array,
  object: JsonObject,
  publicKey: Uint8Array,
): Reading | null {
  for (const [reading, message] of messages(primitives, object, canonicalOf(primitives, object))) {
    if (verifyStrict(primitives, signature, message, publicKey)) return reading;
  }
  return null;
}

/** `objectReading` that leaves the thread to others while it verifies. @param canonical of the object */
export async function objectReadingAsync(
  primitives: Primitives,
  verify: VerifyAsync,
  signature: Uint8Array,
  object: JsonObject,
  publicKey: Uint8Array,
  canonical: Canonical,
): Promise<Reading | null> {
  if (!isStrictForm(signature, publicKey)) return null;
  for (const [reading, message] of messages(primitives, object, canonical)) {
    if (await verify(signature, message, publicKey)) return reading;
  }
  return null;
}

/** Whether a signature is over the characters or the bytes of a digest, given as 64 hexadecimal characters; null for neither. */
export function digestReading(
  primitives: Primitives,
  signature: Uint8Array,
  digest: string,
  publicKey: Uint8Array,
): 'digest' | 'raw' | null {
  if (verifyStrict(primitives, signature, utf8.encode(digest), publicKey)) return 'digest';
  return verifyStrict(primitives, signature, hexToBytes(digest), publicKey) ? 'raw' : null;
}

/** What a signature over an object may be over; each is made when it is asked for, since the first mostly fits. */
function* messages(
  primitives: Primitives,
  object: JsonObject,
  canonical: Canonical,
): Generator<[Reading, Uint8Array]> {
  yield ['digest', utf8.encode(canonical.digest)];
  yield ['raw', hexToBytes(canonical.digest)];
  const shallow = shallowJson(object);
  if (shallow !== canonical.text) yield ['shallow', utf8.encode(textDigest(primitives, shallow))];
}

/** Compact JSON with the topmost members sorted, and everything below as it came. */
function shallowJson(object: JsonObject): string {
  const members = Object.keys(object)
    .sort()
    .map((name) => `${JSON.stringify(name)}:${JSON.stringify(object[name])}`);
  return `{${members.join(',')}}`;
}
