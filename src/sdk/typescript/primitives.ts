import { getPublicKey, hashes, sign } from '@noble/ed25519';
import { sha512 } from '@noble/hashes/sha2.js';

export { noblePrimitives as primitives } from '../../proof/noble.ts';

// WebCrypto has no Ed25519 in older runtimes, and is missing on pages of http hosts.
hashes.sha512 = sha512;

/** Returns the Ed25519 public key of a seed: 32 bytes of both. */
export const publicKeyOf = (seed: Uint8Array): Uint8Array => getPublicKey(seed);

/** Signs with an Ed25519 seed of 32 bytes. Returns 64 bytes. */
export const signEd25519 = (seed: Uint8Array, message: Uint8Array): Uint8Array => sign(message, seed);
