import { sha256Hex } from '../../../platform/crypto/crypto.ts';
import { hexToBytes } from '../../../proof/encoding/hex.ts';
import { publicKeyJwk, publicKeyMultibase } from '../../../proof/keys/kid.ts';
import type { Signer } from '../../log/keys/signing/signer.ts';
import { type IssuerKey, issuerOf } from './issuer.ts';

/** The parts of the service that its documents are made of. */
export type ServiceDocumentContext = { url: string | null; signer: Signer };

/** The contexts of every DID document: W3C DID Core 1.0 and Multikey (W3C Controlled Identifiers). */
export const DID_CONTEXTS = ['https://www.w3.org/ns/did/v1', 'https://w3id.org/security/multikey/v1'];

/** A verification method of type Multikey. */
export function multikeyMethod(id: string, controller: string, publicKey: string) {
  return {
    id,
    type: 'Multikey' as const,
    controller,
    publicKeyMultibase: publicKeyMultibase(hexToBytes(publicKey)),
  };
}

/**
 * Returns the DID document of the service. It has a method for every Ed25519 key that is not compromised, so that whatever the service
 * signed can be verified. Only keys of purpose `credentials` are in assertionMethod: no other key signs credentials.
 */
export function serviceDocument(trust: ServiceDocumentContext) {
  const issuer = issuerOf(trust);
  const keys = trust.signer
    .all()
    .filter(({ algorithm, status }) => algorithm === 'Ed25519' && status !== 'compromised');
  const url = trust.url ?? '';
  const service = (name: string, type: string, path: string) => ({
    id: `${issuer.did}#${name}`,
    type,
    serviceEndpoint: `${url}${path}`,
  });
  return {
    '@context': DID_CONTEXTS,
    id: issuer.did,
    alsoKnownAs: [],
    verificationMethod: keys.map((key) =>
      multikeyMethod(issuer.methodFor(key), issuer.didFor(key), key.publicKey),
    ),
    assertionMethod: keys
      .filter(({ purpose }) => purpose === 'credentials')
      .map((key) => issuer.methodFor(key)),
    service: [
      service('agent-card', 'A2AAgentCard', '/.well-known/agent-card.json'),
      service('keys', 'TransparencyKeys', '/api/v1/transparency/keys'),
    ],
  };
}

/** Returns the JSON Web Key Set (RFC 7517) of the keys in assertionMethod of the DID document. */
export function jsonWebKeySet({ signer }: Pick<ServiceDocumentContext, 'signer'>) {
  const keys = signer
    .all()
    .filter(({ purpose, status }) => purpose === 'credentials' && status !== 'compromised');
  return { keys: keys.map(jsonWebKey) };
}

/** Returns a key as JSON Web Key (RFC 8037) for signatures. */
function jsonWebKey({ kid, publicKey }: IssuerKey) {
  return { ...publicKeyJwk(hexToBytes(publicKey)), kid, use: 'sig' as const, alg: 'EdDSA' as const };
}

/** JSON text with its entity tag. */
interface TaggedText {
  json: string;
  etag: string;
}

/** Returns a function for the JSON text of a document about the signing keys. The text is cached until they change. */
export function cachedByKeys(
  { signer }: Pick<ServiceDocumentContext, 'signer'>,
  make: () => object,
): () => TaggedText {
  let cached: (TaggedText & { keys: unknown }) | null = null;
  return () => {
    // A change of the keys replaces this array.
    const keys = signer.all();
    if (cached?.keys === keys) return cached;
    const json = JSON.stringify(make());
    cached = { keys, json, etag: `"${sha256Hex(json).slice(0, 32)}"` };
    return cached;
  };
}
