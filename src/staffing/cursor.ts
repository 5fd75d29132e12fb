import { createHmac, timingSafeEqual } from 'node:crypto';

/** Changes when a place means something else; cursors of another version are refused. */
const VERSION = '1';
const CHECKSUM_BYTES = 12;
const LONGEST = 2048;

/** A place in a list, opaque to the client and bound to the list and filters that it was read with (`scope`). */
export function writeCursor(key: Uint8Array, place: readonly string[], scope: string): string {
  const text = JSON.stringify(place);
  return Buffer.concat([checksum(key, text, scope), Buffer.from(text)]).toString('base64url');
}

/** The place that `cursor` names, or null when it was not written with this key for this scope. */
export function readCursor(key: Uint8Array, cursor: string, scope: string): string[] | null {
  if (cursor.length > LONGEST) return null;
  const bytes = Buffer.from(cursor, 'base64url');
  // Decoding is lenient, and no other spelling of a cursor shall pass for it.
  if (bytes.length <= CHECKSUM_BYTES || bytes.toString('base64url') !== cursor) return null;
  const text = bytes.subarray(CHECKSUM_BYTES).toString();
  const given = bytes.subarray(0, CHECKSUM_BYTES);
  return timingSafeEqual(given, checksum(key, text, scope)) ? JSON.parse(text) : null;
}

function checksum(key: Uint8Array, text: string, scope: string): Buffer {
  const message = JSON.stringify([VERSION, scope, text]);
  return createHmac('sha256', key).update(message).digest().subarray(0, CHECKSUM_BYTES);
}
