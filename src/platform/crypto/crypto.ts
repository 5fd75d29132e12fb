import { createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import { bytesToHex } from '../../proof/encoding/hex.ts';
import { publicKeyJwk } from '../../proof/keys/kid.ts';
import type { Primitives } from '../../proof/primitives.ts';

/**
 * A cache of imported public keys by their hexadecimal form, least recently used first. Importing a key takes
 * about as long as a verification. Its size is limited because clients choose the keys.
 */
const imported = new Map<string, KeyObject>();
const IMPORTED_MAX = 1024;
let newest: { name: string; key: KeyObject } | null = null;

/**
 * The bytes before the 1,312 bytes of an ML-DSA-44 public key in its SubjectPublicKeyInfo (RFC 9881 section
 * 4).
 */
const ML_DSA_44_SPKI = Buffer.from('30820532300b06096086480165030403110382052100', 'hex');

/** The cryptographic primitives in the runtime's native code, 15 to 24 times as fast as those of @noble. */
export const nativePrimitives: Primitives = {
  sha256(bytes) {
    const hash = new Uint8Array(32);
    Bun.SHA256.hash(bytes, hash);
    return hash;
  },
  sha256Text: sha256Hex,
  ed25519Verify(signature, message, publicKey) {
    try {
      return verify(null, message, importKey(publicKey), signature);
    } catch {
      return false;
    }
  },
  mlDsa44Verify(signature, message, publicKey) {
    try {
      // The key is not cached as Ed25519 keys are: importing takes only a fifth of the verification.
      const spki = Buffer.concat([ML_DSA_44_SPKI, publicKey]);
      return verify(null, message, createPublicKey({ key: spki, format: 'der', type: 'spki' }), signature);
    } catch {
      return false;
    }
  },
};

/**
 * Verifies a signature like `nativePrimitives.ed25519Verify`, but on a thread of the runtime's pool. A
 * verification takes as long as all other work for a signed request; the event loop serves other requests
 * meanwhile.
 */
export function verifyEd25519Async(
  signature: Uint8Array,
  message: Uint8Array,
  publicKey: Uint8Array,
): Promise<boolean> {
  return new Promise((resolve) => {
    try {
      verify(null, message, importKey(publicKey), signature, (error, holds) =>
        resolve(error === null && holds),
      );
    } catch {
      resolve(false);
    }
  });
}

/**
 * Signs like `signEd25519`, but on a thread of the runtime's pool. It blocks the event loop for a tenth of
 * the time.
 */
export function signEd25519Async(privateKey: KeyObject, message: Uint8Array): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    sign(null, message, privateKey, (error, signature) =>
      error === null ? resolve(signature) : reject(error),
    );
  });
}

/** Returns the SHA-256 of the UTF-8 of `text` in lower-case hexadecimal: 64 characters. */
export function sha256Hex(text: string): string {
  return Bun.SHA256.hash(text, 'hex');
}

/** Returns the SHA-256 of the UTF-8 of `text`: 32 bytes. */
export function sha256(text: string): Buffer<ArrayBuffer> {
  return Buffer.from(sha256Hex(text), 'hex');
}

/**
 * Returns the Ed25519 signature (RFC 8032) of `message`, 64 bytes. @throws TypeError for a key of another
 * algorithm
 */
export function signEd25519(privateKey: KeyObject, message: Uint8Array): Uint8Array {
  if (privateKey.asymmetricKeyType !== 'ed25519') throw new TypeError('not an Ed25519 private key');
  return sign(null, message, privateKey);
}

/**
 * Returns an ML-DSA-44 signature (FIPS 204, pure, empty context) of `message`, 2,420 bytes. Each call returns
 * a different signature.
 * @throws TypeError for a key of another algorithm
 */
export function signMlDsa44(privateKey: KeyObject, message: Uint8Array): Uint8Array {
  if (privateKey.asymmetricKeyType !== 'ml-dsa-44') throw new TypeError('not an ML-DSA-44 private key');
  return sign(null, message, privateKey);
}

function importKey(publicKey: Uint8Array): KeyObject {
  const name = bytesToHex(publicKey);
  // Most receipts in a bulk verification are signed by one key.
  if (name === newest?.name) return newest.key;
  const key = imported.get(name) ?? createPublicKey({ key: publicKeyJwk(publicKey), format: 'jwk' });
  imported.delete(name);
  imported.set(name, key);
  newest = { name, key };
  if (imported.size > IMPORTED_MAX) {
    const [oldest = name] = imported.keys();
    imported.delete(oldest);
  }
  return key;
}
