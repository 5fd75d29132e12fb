import { base58 } from '@scure/base';
import { isStrictPublicKey } from '../keys/ed25519.ts';

/** The multicodec code 0xed (ed25519-pub) as a varint, before the key's 32 bytes. */
const ED25519_PREFIX = [0xed, 0x01];
const PREFIXED_BYTES = 34;
/**
 * 34 bytes have at most this many characters in base58; what is longer is not decoded, because the cost grows
 * with its square.
 */
const MOST_CHARACTERS = 48;

const DID_KEY = 'did:key:';

/**
 * Decodes an Ed25519 public key in Multikey form (W3C Controlled Identifiers, section 2.2.2): `z` and
 * base58btc of the multicodec prefix 0xed01 and the key.
 * @returns 32 bytes in strict form (`isStrictPublicKey`); null for anything else
 */
export function publicKeyOfMultibase(multibase: string): Uint8Array | null {
  if (!multibase.startsWith('z') || multibase.length > MOST_CHARACTERS) return null;
  const prefixed = decodeBase58(multibase.slice(1));
  if (prefixed?.length !== PREFIXED_BYTES) return null;
  if (ED25519_PREFIX.some((byte, index) => prefixed[index] !== byte)) return null;
  const publicKey = prefixed.subarray(ED25519_PREFIX.length);
  return isStrictPublicKey(publicKey) ? publicKey : null;
}

/**
 * Returns the Ed25519 public key of a DID `did:key:z6Mk…` without fragment (did:key method, W3C CCG); null
 * for anything else.
 */
export function publicKeyOfDidKey(did: string): Uint8Array | null {
  return did.startsWith(DID_KEY) ? publicKeyOfMultibase(did.slice(DID_KEY.length)) : null;
}

/** Returns the only verification method of a did:key: the DID, `#`, and the Multikey again. */
export function didKeyMethod(did: string): string {
  return `${did}#${did.slice(DID_KEY.length)}`;
}

/** Decodes base58btc; null for text with other characters. */
export function decodeBase58(text: string): Uint8Array | null {
  try {
    return base58.decode(text);
  } catch {
    return null;
  }
}
