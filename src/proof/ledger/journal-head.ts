import { leafHash } from '../log/merkle.ts';
import type { Primitives } from '../primitives.ts';

/** The head of a journal at the end of a day: a leaf of the tree of all heads of the day. */
export interface JournalHead {
  /** The subject commitment of an agent, or the operator_id of a pool. */
  account: string;
  /** The number of entries, at least 1. */
  entries: number;
  /** The entry_hash of the newest entry: 64 lower-case hexadecimal characters. */
  head: string;
}

const utf8 = new TextEncoder();

/**
 * Returns the hash of a leaf of a tree of journal heads (RFC 6962 section 2.1) over the canonical JSON of
 * `{account, entries, head, salt, v: 1}`.
 * @param salt 16 bytes in lower-case hexadecimal, so that nobody finds the head of another account by trying
 */
export function journalHeadHash(
  primitives: Primitives,
  { account, entries, head }: JournalHead,
  salt: string,
): Uint8Array {
  // The members are in canonical order, and their texts need no escapes.
  return leafHash(primitives, utf8.encode(JSON.stringify({ account, entries, head, salt, v: 1 })));
}
