import { base58, base64urlnopad } from '@scure/base';
import type { Primitives } from './primitives.ts';

/** A public key as JSON Web Key (RFC 8037 section 2). */
export type PublicKeyJwk = { kty: 'OKP'; crv: 'Ed25519'; x: string };

/** The 32 bytes of an Ed25519 public key as JSON Web Key (RFC 8037). */
export function publicKeyJwk(publicKey: Uint8Array): PublicKeyJwk {
  return { kty: 'OKP', crv: 'Ed25519', x: base64urlnopad.encode(publicKey) };
}

/** A key's name: its JWK thumbprint (RFC 7638, with the members of RFC 8037), base64url, 43 characters. */
export function kidOf(primitives: Primitives, publicKey: Uint8Array): string {
  const { crv, kty, x } = publicKeyJwk(publicKey);
  const members = new TextEncoder().encode(JSON.stringify({ crv, kty, x }));
  return base64urlnopad.encode(primitives.sha256(members));
}

/** An Ed25519 public key as W3C Multikey: multicodec 0xed01, then base58btc with its `z`. */
export function publicKeyMultibase(publicKey: Uint8Array): string {
  const prefixed = new Uint8Array(2 + publicKey.length);
  prefixed.set([0xed, 0x01]);
  prefixed.set(publicKey, 2);
  return `z${base58.encode(prefixed)}`;
}
