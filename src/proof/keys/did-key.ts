import { publicKeyMultibase } from './kid.ts';

/** Returns an Ed25519 public key of 32 bytes as a DID (did:key method, W3C CCG): `did:key:z6Mk…`. */
export function didKey(publicKey: Uint8Array): string {
  return `did:key:${publicKeyMultibase(publicKey)}`;
}
