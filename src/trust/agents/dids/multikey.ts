import { hexToBytes } from '../../../proof/encoding/hex.ts';
import { publicKeyMultibase } from '../../../proof/keys/kid.ts';

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
