import { randomBytes, randomInt } from 'node:crypto';

/** The digits of base 62, in order of their value. */
export const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/**
 * The source of a service's identifiers and secrets. A demonstration has its own, so that its documentation
 * can name them.
 */
export interface Ids {
  /** Returns a new identifier with this prefix, like `newId`. */
  newId(prefix: string): string;
  /** Returns a new secret with this prefix, like `newSecret`. */
  newSecret(prefix: string): string;
  /** Returns this prefix and `length` random letters and digits. */
  newText(prefix: string, length: number): string;
}

/**
 * Returns a new identifier: `prefix` and a UUIDv7 (RFC 9562 section 5.7) without dashes, so that ids sort by
 * time.
 */
export function newId(prefix: string): string {
  return prefix + Bun.randomUUIDv7('buffer').toString('hex');
}

/** Returns a new secret: `prefix` and 32 random bytes in lower-case hexadecimal. */
export function newSecret(prefix: string): string {
  return prefix + randomBytes(32).toString('hex');
}

/** Returns `length` random letters and digits. */
export function randomBase62(length: number): string {
  return Array.from({ length }, () => BASE62[randomInt(BASE62.length)]).join('');
}

/** New identifiers, whose random part cannot be guessed. */
export const freshIds: Ids = { newId, newSecret, newText: (prefix, length) => prefix + randomBase62(length) };
