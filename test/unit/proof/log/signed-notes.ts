import { createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto';
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

/**
 * Two cosignature keys called w.example, by their seeds in hexadecimal, with the same key id: found in 77,098
 * attempts.
 */
export const COLLIDING_SEEDS = [
  '85c39fa13107b305f3539f5511880da897fb1493d3310c800c38e42bf7bc6c99',
  '0bda6641a98343e7e0e2437249023c3c75ad04c4330a67a999472015b3de99ea',
];

/** A signer of one of the three types, with a fresh key or the Ed25519 key of a seed. */
export function newNoteSigner(name: string, type: keyof typeof SIGNATURE_TYPES, seed?: string): NoteSigner {
  const { privateKey, publicKey } =
    seed !== undefined
      ? ed25519Of(seed)
      : type === 'mlDsa44'
        ? generateKeyPairSync('ml-dsa-44')
        : generateKeyPairSync('ed25519');
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

function ed25519Of(seed: string) {
  const der = Buffer.from(`302e020100300506032b657004220420${seed}`, 'hex');
  const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  return { privateKey, publicKey: createPublicKey(privateKey) };
}
