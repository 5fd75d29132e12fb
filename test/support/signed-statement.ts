import { nativePrimitives, signEd25519 } from '../../src/platform/crypto/crypto.ts';
import { digest } from '../../src/proof/encoding/digest.ts';
import { bytesToHex } from '../../src/proof/encoding/hex.ts';
import type { JsonObject } from '../../src/proof/encoding/json.ts';
import { signedObjectMessage } from '../../src/proof/keys/signed-object.ts';
import { type TestKey, testKey } from './small-log.ts';

const CREDENTIALS = testKey(3);
const AGENT = testKey(9);

/** Signs a statement as the service does, with a test key. */
export function signedStatement(document: JsonObject, key: TestKey = CREDENTIALS): JsonObject {
  const { signature: _signature, kid: _kid, ...said } = document;
  const message = signedObjectMessage(nativePrimitives, said);
  return { ...said, signature: bytesToHex(signEd25519(key.privateKey, message)), kid: key.kid };
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
