import { generateKeyPairSync } from 'node:crypto';
import { nativePrimitives, signEd25519, signMlDsa44 } from '../../../../src/platform/crypto/crypto.ts';
import {
  keyIdOf,
  type NoteSignature,
  SIGNATURE_TYPES,
  type VerifierKey,
} from '../../../../src/proof/log/note.ts';
import { cosignatureBytes, signedMessage } from '../../../../src/proof/log/note-signature.ts';

/** A key that signs notes, and what verifies it. */
export interface NoteSigner {
  key: VerifierKey;
  sign(text: string, timestamp?: number): NoteSignature;
}

/** A fresh signer of one of the three types. */
export function newNoteSigner(name: string, type: keyof typeof SIGNATURE_TYPES): NoteSigner {
  const { privateKey, publicKey } =
    type === 'mlDsa44' ? generateKeyPairSync('ml-dsa-44') : generateKeyPairSync('ed25519');
  const spki = publicKey.export({ format: 'der', type: 'spki' });
  const bytes = new Uint8Array(spki.subarray(type === 'mlDsa44' ? -1312 : -32));
  const code = SIGNATURE_TYPES[type];
  const key = { name, type: code, publicKey: bytes, keyId: keyIdOf(nativePrimitives, name, code, bytes) };
  const signBytes = type === 'mlDsa44' ? signMlDsa44 : signEd25519;
  return {
    key,
    sign(text, timestamp = 1_700_000_000) {
      const bare = signBytes(privateKey, signedMessage(code, text, name, timestamp));
      const signature = type === 'ed25519' ? new Uint8Array(bare) : cosignatureBytes(timestamp, bare);
      return { name, keyId: key.keyId, signature };
    },
  };
}
