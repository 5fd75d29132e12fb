import { nativePrimitives, signEd25519 } from '../../src/platform/crypto/crypto.ts';
import { digest } from '../../src/proof/encoding/digest.ts';
import { bytesToHex } from '../../src/proof/encoding/hex.ts';
import type { JsonObject } from '../../src/proof/encoding/json.ts';
import { signedObjectDigest } from '../../src/proof/keys/signed-object.ts';
import { contentDigest } from '../../src/proof/package/format.ts';
import { type TestKey, testKey } from './small-log.ts';

const CREDENTIALS = testKey(3);
const AGENT = testKey(9);

/** Returns the hash of what a statement says, over which its signature is. */
export function statementHash(document: JsonObject): string {
  const { signature: _signature, kid: _kid, ...said } = document;
  return isHashed(document)
    ? contentDigest(nativePrimitives, said)
    : signedObjectDigest(nativePrimitives, said);
}

const isHashed = ({ type }: JsonObject): boolean => type === 'passport' || type === 'meter';

/**
 * Signs a statement as the service does, with a test key: a statement that has a content_hash gets its own.
 */
export function signedStatement(document: JsonObject, key: TestKey = CREDENTIALS): JsonObject {
  const { signature: _signature, kid: _kid, ...said } = document;
  const hash = statementHash(document);
  return {
    ...said,
    ...(isHashed(document) ? { content_hash: hash } : {}),
    signature: bytesToHex(signEd25519(key.privateKey, Buffer.from(hash))),
    kid: key.kid,
  };
}

/** Signs the payload of an agent's object: the 64 characters of its hash or, if `raw`, the 32 bytes. */
export function signedByAgent(payload: JsonObject, key: TestKey = AGENT, raw = false): JsonObject {
  const signed = Buffer.from(digest(nativePrimitives, payload), raw ? 'hex' : 'utf8');
  return {
    payload,
    signature: bytesToHex(signEd25519(key.privateKey, signed)),
    public_key: key.public_key,
  };
}
