import { randomBytes, randomInt } from 'node:crypto';

/** The digits of base 62, in order of their value. */
export const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Where the identifiers and secrets of a service come from. A demonstration passes its own, so that its documentation can name them. */
export interface Ids {
  /** Returns a new identifier with this prefix, as `newId` makes it. */
  newId(prefix: string): string;
  /** Returns a new secret with this prefix, as `newSecret` makes it. */
  newSecret(prefix: string): string;
  /** Returns this prefix and `length` random letters and digits. */
  newText(prefix: string, length: number): string;
}

/** A fresh identifier: `prefix` and a UUIDv7 (RFC 9562 section 5.7) without dashes, so that ids sort by time. */
export function newId(prefix: string): string {
  return prefix + Bun.randomUUIDv7('buffer').toString('hex');
}

/** A secret: `prefix` and 32 random bytes in lower-case hexadecimal. */
export function newSecret(prefix: string): string {
  return prefix + randomBytes(32).toString('hex');
}

/** `length` random letters and digits. */
export function randomBase62(length: number): string {
  return Array.from({ length }, () => BASE62[randomInt(BASE62.length)]).join('');
}

/** Fresh identifiers, which nobody can guess. */
export const freshIds: Ids = { newId, newSecret, newText: (prefix, length) => prefix + randomBase62(length) };
