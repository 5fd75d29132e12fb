import { hexToBytes } from '../../proof/encoding/hex.ts';
import { keyIdOf, SIGNATURE_TYPES, type VerifierKey } from '../../proof/log/note.ts';
import { nativePrimitives } from '../crypto/crypto.ts';
import type { KeyPair } from '../crypto/key-files.ts';

/** Returns the verifier key of a log's key. @param origin of the log */
export function verifierKeyOf(
  { algorithm, publicKey }: Pick<KeyPair, 'algorithm' | 'publicKey'>,
  origin: string,
): VerifierKey {
  const type = algorithm === 'Ed25519' ? SIGNATURE_TYPES.ed25519 : SIGNATURE_TYPES.mlDsa44;
  const raw = hexToBytes(publicKey);
  return { name: origin, keyId: keyIdOf(nativePrimitives, origin, type, raw), type, publicKey: raw };
}
