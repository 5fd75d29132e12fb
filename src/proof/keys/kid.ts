import { base58, base64urlnopad } from '@scure/base';
import { canonicalJson } from '../encoding/canonical-json.ts';
import type { Primitives } from '../primitives.ts';

/** An Ed25519 public key as JSON Web Key (RFC 8037 section 2). */
export type PublicKeyJwk = { kty: 'OKP'; crv: 'Ed25519'; x: string };

/**
 * Returns an Ed25519 public key of 32 bytes as a JSON Web Key: x is base64url without padding, 43 characters.
 */
export function publicKeyJwk(publicKey: Uint8Array): PublicKeyJwk {
  return { kty: 'OKP', crv: 'Ed25519', x: base64urlnopad.encode(publicKey) };
}

/**
 * Returns a key's id: the SHA-256 thumbprint of its JWK (RFC 7638; RFC 8037 appendix A.3), base64url, 43
 * characters.
 */
export function kidOf(primitives: Primitives, publicKey: Uint8Array): string {
  const members = canonicalJson(publicKeyJwk(publicKey));
  return base64urlnopad.encode(primitives.sha256(new TextEncoder().encode(members)));
}

/**
 * Returns the id of a key of either algorithm. An ML-DSA-44 key of 1,312 bytes is a JWK of type AKP, of which
 * the thumbprint has the members `alg`, `kty` and `pub`.
 */
export function thumbprintOf(
  primitives: Primitives,
  algorithm: 'Ed25519' | 'ML-DSA-44',
  publicKey: Uint8Array,
): string {
  if (algorithm === 'Ed25519') return kidOf(primitives, publicKey);
  const members = canonicalJson({ alg: algorithm, kty: 'AKP', pub: base64urlnopad.encode(publicKey) });
  return base64urlnopad.encode(primitives.sha256(new TextEncoder().encode(members)));
}

/**
 * Returns an Ed25519 public key as W3C Multikey: `z` and base58btc of the multicodec prefix 0xed01 and the
 * key.
 */
export function publicKeyMultibase(publicKey: Uint8Array): string {
  const prefixed = new Uint8Array(2 + publicKey.length);
  prefixed.set([0xed, 0x01]);
  prefixed.set(publicKey, 2);
  return `z${base58.encode(prefixed)}`;
}
