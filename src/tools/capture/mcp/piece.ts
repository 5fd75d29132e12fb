import type { Messages } from './message.ts';

/** Bytes of the client, in order. */
export interface Piece {
  bytes: Uint8Array;
  /** Is there if they have the end of a message: returns the messages. */
  read: (() => Messages) | null;
  /** The length of the message in bytes, if `read` is there. */
  length: number;
  /** Whether they only end the line of the piece before: they go on if that does. */
  follows?: boolean;
  /** Whether they are of a line that is too long to be held, where lines are. */
  isTooLong?: boolean;
}

/** Returns bytes that go on. */
export function passing(bytes: Uint8Array): Piece {
  return { bytes, read: null, length: bytes.length };
}
