import { newId } from '../../../platform/ids.ts';
import type { Line } from '../spool/lines.ts';
import type { SessionState } from '../spool/state.ts';

/** The longest scope of a receipt, in characters. */
const LONGEST_SCOPE = 256;
/** How long a receipt is valid, in years. */
const VALID_YEARS = 10;

/** A call that begins. */
export interface Begun {
  scope: string;
  inputDigest: string;
  isClosing?: boolean;
  /** The id of the call in the protocol of a hook. */
  key?: string;
}

/** Returns the line of a call that begins, with a new capture id. */
export function begunLine({ next }: SessionState, call: Begun): Line & { type: 'begun' } {
  const now = new Date();
  const expiry = new Date(now);
  expiry.setUTCFullYear(now.getUTCFullYear() + VALID_YEARS);
  return {
    ...{ type: 'begun', call: newId('cap_'), n: next, at: now.toISOString() },
    ...{ scope: plainText(call.scope), input_digest: call.inputDigest, expiry: expiry.toISOString() },
    ...(call.isClosing === true ? { closing: true } : {}),
    ...(call.key === undefined ? {} : { key: call.key }),
  };
}

/**
 * Returns text as the service accepts it for a scope and an agent: at most 256 characters, and `_` in place
 * of control characters and halves of surrogate pairs.
 */
export function plainText(text: string): string {
  // A character has one or two units. A name can have megabytes.
  const [...characters] = text.slice(0, 2 * LONGEST_SCOPE).replace(/\p{Cc}|\p{Cs}/gu, '_');
  const plain = characters.slice(0, LONGEST_SCOPE).join('');
  return plain.trim() === '' ? '_' : plain;
}
