import { nativePrimitives, signEd25519 } from '../../platform/crypto/crypto.ts';
import type { KeyPair } from '../../platform/crypto/key-files.ts';
import { Failure } from '../../platform/failure.ts';
import { timestampOf } from '../../platform/time/timestamp.ts';
import { agentAuthMessage } from '../../proof/agent/agent-signature.ts';
import { subjectCommitment } from '../../proof/agent/commitment.ts';
import { digest } from '../../proof/encoding/digest.ts';
import { bytesToHex } from '../../proof/encoding/hex.ts';
import type { JsonObject } from '../../proof/encoding/json.ts';

/** The lifetime of an authorization, in milliseconds. Services accept at most twice as long. */
const AUTHORIZED_MS = 300_000;

/** The context and the name that an agent enrolls with. */
export interface Identity {
  context?: string;
  name?: string;
}

/**
 * Signs a JSON object with an agent's key, as evidence and presentations require it.
 * @throws CanonicalJsonError
 */
export function signedObject(key: KeyPair, object: JsonObject) {
  const payload_digest = digest(nativePrimitives, object);
  return { payload_digest, signature: signedText(key, payload_digest), public_key: key.publicKey };
}

/** A call that an agent authorizes. */
interface Call {
  method: string;
  /** The path of the URL, without a query string. */
  path: string;
  /** The `audience` in the service's `GET /api/v1/public-key`. */
  audience: string;
}

/**
 * Returns the body of a call with the agent's authorization, which is valid once and for five minutes.
 * @param now the time in milliseconds since 1970
 * @throws Failure for a body that already has one; CanonicalJsonError
 */
export function authorizedBody(
  key: KeyPair,
  { context }: Pick<Identity, 'context'>,
  call: Call,
  body: JsonObject,
  now: number = Date.now(),
): JsonObject {
  if (body.agent_auth !== undefined) {
    throw new Failure('the body already has a member agent_auth', 'remove it: the command adds a new one');
  }
  const auth = {
    commitment: subjectCommitment(nativePrimitives, key.publicKey, context),
    nonce: crypto.randomUUID(),
    expires_at: timestampOf(now + AUTHORIZED_MS),
  };
  const message = agentAuthMessage(nativePrimitives, { ...call, body, ...auth });
  return { ...body, agent_auth: { ...auth, signature: bytesToHex(signEd25519(key.privateKey, message)) } };
}

/** Signs text with an agent's key. @returns 128 lower-case hexadecimal characters */
export function signedText({ privateKey }: KeyPair, text: string): string {
  return bytesToHex(signEd25519(privateKey, Buffer.from(text)));
}
