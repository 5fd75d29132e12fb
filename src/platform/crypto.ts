import { createHash, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import { bytesToHex } from '../proof/hex.ts';
import { publicKeyJwk } from '../proof/kid.ts';
import type { Primitives } from '../proof/primitives.ts';

/** Imported keys by hexadecimal, since importing costs as much as half a verification. Bounded: callers name keys. */
const imported = new Map<string, KeyObject>();
const IMPORTED_MAX = 1024;

/** The primitives by the runtime's native code, 15 to 24 times as fast as @noble's. */
export const nativePrimitives: Primitives = {
  sha256: (bytes) => createHash('sha256').update(bytes).digest(),
  ed25519Verify(signature, message, publicKey) {
    try {
      return verify(null, message, importKey(publicKey), signature);
    } catch {
      return false;
    }
  },
};

/** Lower-case hexadecimal SHA-256 of UTF-8 text: 64 characters. */
export function sha256Hex(text: string): string {
  return Bun.SHA256.hash(text, 'hex');
}

/** Ed25519 signature (RFC 8032), 64 bytes. */
export function signEd25519(privateKey: KeyObject, message: Uint8Array): Uint8Array {
  return sign(null, message, privateKey);
}

function importKey(publicKey: Uint8Array): KeyObject {
  const name = bytesToHex(publicKey);
  const known = imported.get(name);
  if (known !== undefined) return known;
  const key = createPublicKey({ key: publicKeyJwk(publicKey), format: 'jwk' });
  if (imported.size >= IMPORTED_MAX) imported.clear();
  imported.set(name, key);
  return key;
}
