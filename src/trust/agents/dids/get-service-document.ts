import type { Signer } from '../../log/keys/signing/signer.ts';
import { issuerOf } from './issuer.ts';
import { DID_CONTEXTS, multikeyMethod } from './multikey.ts';

export type ServiceDocumentContext = { url: string | null; signer: Signer };

/**
 * Returns the DID document of the service. It has a method for every Ed25519 key that is not compromised, so
 * that everything that the service signed can be verified. Only keys of purpose `credentials` are in
 * assertionMethod: no other key signs credentials.
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
