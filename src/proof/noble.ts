import { hashes, verify } from '@noble/ed25519';
import { sha256, sha512 } from '@noble/hashes/sha2.js';
import type { Primitives } from './primitives.ts';

hashes.sha512 = sha512;

/** The primitives in pure JavaScript (@noble): for the browser, and as the second opinion of the command line. */
export const noblePrimitives: Primitives = {
  sha256,
  ed25519Verify(signature, message, publicKey) {
    try {
      return verify(signature, message, publicKey, { zip215: false });
    } catch {
      return false;
    }
  },
};
