import { base64urlnopad } from '@scure/base';
import { sha256Hex } from '../crypto.ts';

/** A place in a list, opaque to the client and bound to the list and filters that it was read with (`scope`). */
export function writeCursor(place: readonly string[], scope: string): string {
  const text = JSON.stringify(place);
  return base64urlnopad.encode(Buffer.from(`${checksum(text, scope)}${text}`));
}

/** The place that `cursor` names, or null when it was not written for this `scope`. */
export function readCursor(cursor: string, scope: string): string[] | null {
  if (!/^[\w-]{1,512}$/.test(cursor)) return null;
  const text = Buffer.from(cursor, 'base64url').toString();
  const place = text.slice(CHECKSUM);
  return text.slice(0, CHECKSUM) === checksum(place, scope) ? listIn(place) : null;
}

/** The texts of a list; null for anything else, since whoever knows this file can make a checksum. */
function listIn(text: string): string[] | null {
  try {
    const list: unknown = JSON.parse(text);
    return Array.isArray(list) && list.every((each) => typeof each === 'string') ? list : null;
  } catch {
    return null;
  }
}

const CHECKSUM = 16;

/** Catches mistakes, not malice: a forged place shows its forger nothing but rows of the same list. */
function checksum(place: string, scope: string): string {
  return sha256Hex(`${place}|${scope}`).slice(0, CHECKSUM);
}
