import type { KeyObject } from 'node:crypto';
import { type NoteSignature, SIGNATURE_TYPES, type VerifierKey } from '../../proof/log/note.ts';
import { cosignatureBytes, signedMessage } from '../../proof/log/note-signature.ts';
import { signEd25519, signMlDsa44 } from '../crypto/crypto.ts';

/**
 * Signs a note with the private half of `key`, in the way of the key's type. See `signedMessage`.
 *
 * @param seconds the time in a cosignature, in seconds since 1970
 */
export function signNote(
  privateKey: KeyObject,
  { type, name, keyId }: VerifierKey,
  text: string,
  seconds: number,
): NoteSignature {
  const message = signedMessage(type, text, name, seconds);
  const isMlDsa = type === SIGNATURE_TYPES.mlDsa44;
  const signature = isMlDsa ? signMlDsa44(privateKey, message) : signEd25519(privateKey, message);
  const isTimed = type !== SIGNATURE_TYPES.ed25519;
  return { name, keyId, signature: isTimed ? cosignatureBytes(seconds, signature) : signature };
}
