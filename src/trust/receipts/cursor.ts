import { sha256Hex } from '../../platform/crypto.ts';

export interface Position {
  issuedAt: string;
  receiptSeq: number;
}

/** A place in a list, opaque to the client and bound to the filters it was read with (`scope`). */
export function writeCursor({ issuedAt, receiptSeq }: Position, scope: string): string {
  const place = `${Date.parse(issuedAt).toString(36)}.${receiptSeq.toString(36)}`;
  return `${place}.${checksum(place, scope)}`;
}

/** The place that `cursor` names, or null when it was not written for this `scope`. */
export function readCursor(cursor: string, scope: string): Position | null {
  const match = /^([0-9a-z]{1,10})\.([0-9a-z]{1,11})\.([0-9a-f]{16})$/.exec(cursor);
  const [, time = '', seq = '', sum] = match ?? [];
  if (match === null || sum !== checksum(`${time}.${seq}`, scope)) return null;
  return {
    issuedAt: new Date(Number.parseInt(time, 36)).toISOString(),
    receiptSeq: Number.parseInt(seq, 36),
  };
}

/** Catches mistakes, not malice: a forged place shows its forger nothing but rows of the same list. */
function checksum(place: string, scope: string): string {
  return sha256Hex(`${place}|${scope}`).slice(0, 16);
}
