import { hexToBytes } from '../../../proof/encoding/hex.ts';
import { publicKeyJwk } from '../../../proof/keys/kid.ts';
import type { ServiceDocumentContext } from './get-service-document.ts';
import type { IssuerKey } from './issuer.ts';

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
