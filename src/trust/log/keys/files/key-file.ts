import { readKeyPair } from '../../../../platform/crypto/key-files.ts';

/** Returns whether `pem` is the signing key that a file of this name must contain. */
export function isSigningKey(name: string, pem: string): boolean {
  return name.endsWith('.pem') && readKeyPair(pem)?.kid === name.slice(0, -'.pem'.length);
}
