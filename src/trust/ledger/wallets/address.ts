import { keccak_256 } from '@noble/hashes/sha3.js';
import { bytesToHex } from '../../../proof/encoding/hex.ts';

/** The digits of an address: 20 bytes in hexadecimal of either case. */
const ADDRESS = /^0x[0-9a-fA-F]{40}$/;

/** An EVM address or private key as text: 0x and hexadecimal digits. */
export type Hex = `0x${string}`;

/**
 * Returns the address of a public key, in mixed case: the last 20 bytes of the Keccak-256 of its coordinates.
 * @param publicKey uncompressed: 65 bytes, the first of them 4
 * @throws RangeError for another form
 */
export function addressOf(publicKey: Uint8Array): Hex {
  if (publicKey.length !== 65 || publicKey[0] !== 4) throw new RangeError('not an uncompressed public key');
  return checksummed(bytesToHex(keccak_256(publicKey.subarray(1)).subarray(-20)));
}

/**
 * Returns an address in the mixed case of EIP-55; null for text that is no address, and for one in mixed case
 * whose checksum is wrong. An address in one case has no checksum.
 */
export function eip55(text: string): Hex | null {
  if (!ADDRESS.test(text)) return null;
  const digits = text.slice(2);
  const written = checksummed(digits.toLowerCase());
  const isMixed = digits !== digits.toLowerCase() && digits !== digits.toUpperCase();
  return isMixed && text !== written ? null : written;
}

/** EIP-55: a letter is upper case if the digit at its position in the hash of the digits is at least 8. */
function checksummed(digits: string): Hex {
  const hash = bytesToHex(keccak_256(new TextEncoder().encode(digits)));
  return `0x${Array.from(digits, (digit, at) => (Number.parseInt(hash.charAt(at), 16) >= 8 ? digit.toUpperCase() : digit)).join('')}`;
}
