import { canonicalJson } from '../encoding/canonical-json.ts';
import { canonicalJsonSteps, jsonTextSteps } from '../encoding/canonical-steps.ts';
import { textDigest } from '../encoding/digest.ts';
import { hexToBytes } from '../encoding/hex.ts';
import type { JsonObject } from '../encoding/json.ts';
import { inOneGo, type Steps } from '../encoding/steps.ts';
import { isStrictForm, verifyStrict } from '../keys/ed25519.ts';
import type { Primitives } from '../primitives.ts';

/**
 * The messages that an agent's signature over a JSON object may sign. `digest`: the 64 characters of the
 * object's digest, as in all other signatures of the service. Two more are accepted because existing clients
 * sign them. `raw`: the digest's 32 bytes. `shallow`: the 64 characters of the digest of JSON whose top-level
 * members only are sorted.
 */
export const READINGS = ['digest', 'raw', 'shallow'] as const;

export type Reading = (typeof READINGS)[number];

const utf8 = new TextEncoder();

/** An object's canonical JSON (RFC 8785) and its SHA-256 digest in 64 hexadecimal characters. */
export interface Canonical {
  text: string;
  digest: string;
}

/** Computes the canonical JSON and the digest of an object. @throws CanonicalJsonError */
export function canonicalOf(primitives: Primitives, object: JsonObject): Canonical {
  const text = canonicalJson(object);
  return { text, digest: textDigest(primitives, text) };
}

/** Does the same as `canonicalOf`, in steps. @throws CanonicalJsonError */
export function* canonicalSteps(primitives: Primitives, object: JsonObject): Steps<Canonical> {
  const text = yield* canonicalJsonSteps(object);
  yield;
  return { text, digest: textDigest(primitives, text) };
}

/** A call that an agent authorizes, with the members of the signed object. */
export interface AgentAuthorization {
  /** Upper case. */
  method: string;
  /** The path of the request's URL, exactly as sent. */
  path: string;
  /** The body without `agent_auth`. */
  body: JsonObject;
  /** The installation that receives the call: the `audience` in its `GET /api/v1/public-key`. */
  audience: string;
  /** The commitment of the agent that authorizes the call. */
  commitment: string;
  /** 16 to 64 characters; can be used only once. */
  nonce: string;
  /** RFC 3339. */
  expires_at: string;
}

/**
 * Returns the message that an agent signs to authorize a call (`agent_auth`): the 64 characters of the
 * digest. @throws CanonicalJsonError
 */
export function agentAuthMessage(primitives: Primitives, authorization: AgentAuthorization): Uint8Array {
  const { method, path, body, audience, commitment, nonce, expires_at } = authorization;
  const signed = { type: 'agent-auth', method, path, body, audience, commitment, nonce, expires_at };
  return utf8.encode(canonicalOf(primitives, signed).digest);
}

/**
 * Verifies an Ed25519 signature on another thread. It does not check for strict form: call `isStrictForm`
 * first.
 */
export type VerifyAsync = (
  signature: Uint8Array,
  message: Uint8Array,
  publicKey: Uint8Array,
) => Promise<boolean>;

/**
 * Returns which of `READINGS` an agent's signature over an object verifies for, in their order; null for
 * none. Verification is strict.
 * @param signature 64 bytes @param publicKey 32 bytes @throws CanonicalJsonError
 */
export function objectReading(
  primitives: Primitives,
  signature: Uint8Array,
  object: JsonObject,
  publicKey: Uint8Array,
): Reading | null {
  const canonical = canonicalOf(primitives, object);
  for (const [reading, message] of digestMessages(canonical)) {
    if (verifyStrict(primitives, signature, message, publicKey)) return reading;
  }
  const message = inOneGo(shallowMessage(primitives, object, canonical));
  return message !== null && verifyStrict(primitives, signature, message, publicKey) ? 'shallow' : null;
}

/**
 * Does the same as `objectReading`, but verifies on another thread.
 * @param run runs a computation in steps @param canonical of `object`
 */
export async function objectReadingAsync(
  primitives: Primitives,
  verify: VerifyAsync,
  run: <Result>(steps: Steps<Result>) => Promise<Result>,
  signature: Uint8Array,
  object: JsonObject,
  publicKey: Uint8Array,
  canonical: Canonical,
): Promise<Reading | null> {
  if (!isStrictForm(signature, publicKey)) return null;
  for (const [reading, message] of digestMessages(canonical)) {
    if (await verify(signature, message, publicKey)) return reading;
  }
  const message = await run(shallowMessage(primitives, object, canonical));
  return message !== null && (await verify(signature, message, publicKey)) ? 'shallow' : null;
}

/**
 * Returns whether a signature is over the 64 hexadecimal characters (`digest`) or the 32 bytes (`raw`) of a
 * digest; null for neither.
 */
export function digestReading(
  primitives: Primitives,
  signature: Uint8Array,
  digest: string,
  publicKey: Uint8Array,
): 'digest' | 'raw' | null {
  if (verifyStrict(primitives, signature, utf8.encode(digest), publicKey)) return 'digest';
  return verifyStrict(primitives, signature, hexToBytes(digest), publicKey) ? 'raw' : null;
}

/** Returns the messages that sign the digest of an object. Most signatures fit the first. */
function digestMessages({ digest }: Canonical): [Reading, Uint8Array][] {
  return [
    ['digest', utf8.encode(digest)],
    ['raw', hexToBytes(digest)],
  ];
}

/**
 * Returns the message that signs an object's JSON with sorted top-level members, whose nested members keep
 * their order; null if this is its canonical JSON.
 */
function* shallowMessage(
  primitives: Primitives,
  object: JsonObject,
  canonical: Canonical,
): Steps<Uint8Array | null> {
  const parts: string[] = [];
  for (const name of Object.keys(object).sort()) {
    parts.push(parts.length === 0 ? '{' : ',', JSON.stringify(name), ':');
    parts.push(yield* jsonTextSteps(object[name] ?? null));
  }
  const shallow = parts.length === 0 ? '{}' : [...parts, '}'].join('');
  yield;
  if (shallow === canonical.text) return null;
  return utf8.encode(textDigest(primitives, shallow));
}
