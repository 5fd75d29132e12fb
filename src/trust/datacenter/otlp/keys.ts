import { sha256Hex } from '../../../platform/crypto/crypto.ts';

/**
 * Returns the key of an instance or a series: the first 16 bytes of the SHA-256 of its names, in hexadecimal.
 */
export function keyOf(...names: readonly string[]): string {
  return sha256Hex(JSON.stringify(names)).slice(0, 32);
}

/** The series of the newest sample of any gauge, and of the end of the newest interval of any counter. */
export const GAUGES = keyOf('gauges');
export const COUNTERS = keyOf('counters');
