import { gzipSync } from 'node:zlib';
import { nativePrimitives, signEd25519 } from '../../src/platform/crypto/crypto.ts';
import { encodeBitstring, LIST_BYTES, setBit } from '../../src/proof/credential/bitstring.ts';
import { secure } from '../../src/proof/credential/data-integrity.ts';
import { hexToBytes } from '../../src/proof/encoding/hex.ts';
import type { JsonObject } from '../../src/proof/encoding/json.ts';
import { didKey } from '../../src/proof/keys/did-key.ts';
import { publicKeyMultibase } from '../../src/proof/keys/kid.ts';
import { type TestKey, testKey } from './small-log.ts';

/** The service of the credentials. */
export const SERVICE = 'https://trust.example';
export const WEB_ISSUER = 'did:web:trust.example';
export const CREDENTIALS_KEY = testKey(3);

/** The time at which the credentials are valid: two hours after their beginning. */
export const NOW = Date.parse('2026-05-01T14:00:00Z');

const LIST = `${SERVICE}/api/v1/credentials/status/1`;

/** Returns the issuer and the verification method of a key. */
export const didKeyIssuer = ({ public_key }: TestKey) => {
  const did = didKey(hexToBytes(public_key));
  return { issuer: did, method: `${did}#${publicKeyMultibase(hexToBytes(public_key))}` };
};
export const webIssuer = ({ kid }: TestKey, did = WEB_ISSUER) => ({ issuer: did, method: `${did}#${kid}` });

/** Returns an unsigned credential. `changes` replaces members; undefined removes one. */
export function unsignedCredential(changes: Record<string, unknown> = {}): JsonObject {
  return json({
    '@context': ['https://www.w3.org/ns/credentials/v2', `${SERVICE}/contexts/reputation/v1`],
    id: 'urn:uuid:0197284f-7a2b-7c3d-8e9f-0a1b2c3d4e50',
    type: ['VerifiableCredential', 'AgentReputationCredential'],
    issuer: WEB_ISSUER,
    validFrom: '2026-05-01T12:00:00.000Z',
    validUntil: '2026-05-02T12:00:00.000Z',
    credentialSubject: {
      id: didKeyIssuer(testKey(4)).issuer,
      score: 87,
      rolling_30d: { success_rate: 0.97 },
    },
    credentialStatus: {
      id: `${LIST}#9`,
      type: 'BitstringStatusListEntry',
      statusPurpose: 'revocation',
      statusListIndex: '9',
      statusListCredential: LIST,
    },
    ...changes,
  });
}

/** Returns an unsigned status list in which these entries are revoked. */
export function unsignedList(revoked: readonly number[], changes: Record<string, unknown> = {}): JsonObject {
  const bits = new Uint8Array(LIST_BYTES);
  for (const index of revoked) setBit(bits, index);
  return json({
    '@context': ['https://www.w3.org/ns/credentials/v2'],
    id: LIST,
    type: ['VerifiableCredential', 'BitstringStatusListCredential'],
    issuer: WEB_ISSUER,
    validFrom: '2026-05-01T13:59:30.000Z',
    validUntil: '2026-05-02T13:59:30.000Z',
    credentialSubject: {
      id: `${LIST}#list`,
      type: 'BitstringStatusList',
      statusPurpose: 'revocation',
      encodedList: encodeBitstring(bits, gzipSync),
    },
    ...changes,
  });
}

/** Signs a document as a service does. */
export function signedCredential(
  unsigned: JsonObject,
  { key = CREDENTIALS_KEY, method = webIssuer(key).method, created = String(unsigned.validFrom) } = {},
): JsonObject & { proof: JsonObject } {
  return secure(nativePrimitives, unsigned, { verificationMethod: method, created }, (message) =>
    signEd25519(key.privateKey, message),
  );
}

/** Returns a document without the members that are undefined. */
function json(value: Record<string, unknown>): JsonObject {
  const copy: unknown = JSON.parse(JSON.stringify(value));
  if (typeof copy === 'object' && copy !== null && !Array.isArray(copy)) return Object(copy);
  throw new Error('not an object');
}
