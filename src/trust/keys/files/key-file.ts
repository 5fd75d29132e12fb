import { readKeyPair } from '../../../platform/crypto/key-files.ts';

/** Whether `pem` is the signing key that a file of this name has to hold. */
export function isSigningKey(name: string, pem: string): boolean {
  return name.endsWith('.pem') && readKeyPair(pem)?.kid === name.slice(0, -'.pem'.length);
}
