import { didKeyMethod } from '../../../proof/credential/multikey.ts';
import { hexToBytes } from '../../../proof/encoding/hex.ts';
import { didKey } from '../../../proof/keys/did-key.ts';
import { webDidOf } from '../../log/keys/signing/issuer.ts';
import type { Signer } from '../../log/keys/signing/signer.ts';

/** The public part of an Ed25519 signing key. */
export interface IssuerKey {
  kid: string;
  /** 64 lower-case hexadecimal characters. */
  publicKey: string;
}

/** The identity with which the service signs credentials. */
export interface Issuer {
  /** The DID for what is signed now: did:web of the service, or did:key of its active credentials key. */
  did: string;
  /** The DID for what a key signed: that did:web, or did:key of this key, which may be retired. */
  didFor(key: IssuerKey): string;
  /** Returns the DID URL of a key's verification method: `<did:web>#<kid>`, or `did:key:z6Mk…#z6Mk…`. */
  methodFor(key: IssuerKey): string;
}

/**
 * Returns the identity with which the service signs. A service without a public https host has one did:key
 * for each of its keys.
 */
export function issuerOf({ url, signer }: { url: string | null; signer: Signer }): Issuer {
  const web = webDidOf(url);
  const didFor = ({ publicKey }: IssuerKey): string => web ?? didKey(hexToBytes(publicKey));
  return {
    did: didFor(signer.activeKey('credentials')),
    didFor,
    methodFor: (key) => (web === null ? didKeyMethod(didFor(key)) : `${web}#${key.kid}`),
  };
}
