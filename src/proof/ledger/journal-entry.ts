import { textDigest } from '../encoding/digest.ts';
import type { Primitives } from '../primitives.ts';

/** What a movement says to its parties only. */
export interface MovementDetail {
  /**
   * The name of the account that received: an agent's commitment, an operator_id, or the name of an account
   * of the service.
   */
  creditor: string;
  /** The name of the account that paid. */
  debtor: string;
  memo: string | null;
  /** The receipt that the movement belongs to: `rcpt_…`. */
  receipt_id: string | null;
  reference: string | null;
  /** 16 random bytes in lower-case hexadecimal, so that nobody can find the other members by trying. */
  salt: string;
}

/** What an entry changes: the available credits of its account, or the locked credits of an agent. */
export const OF_LOCKED = 'locked';

/** The account whose journal it is: an agent by its commitment, or the pool of an operator. */
export type JournalOwner = { subject_commitment: string } | { operator_id: string };

/** The members of a journal entry that its hash covers, with those of `JournalOwner`. */
export interface JournalEntry {
  entry_id: string;
  kind: string;
  /** The class of the credits. */
  asset: string;
  /** At least 1. */
  amount: number;
  direction: 'credit' | 'debit';
  /** Only for what left the locked credits of an agent; its available credits stay. */
  of?: typeof OF_LOCKED | undefined;
  /** The available credits of this class after the movement. */
  balance_after: number;
  /** RFC 3339 UTC with milliseconds. */
  created_at: string;
  detail_hash: string;
  /** The hash of the account's previous entry, of any class; null for its first. */
  prev_entry_hash: string | null;
}

/** Returns the digest of what only the parties see. The public journal shows it in its place. */
export function detailHash(
  primitives: Primitives,
  { creditor, debtor, memo, receipt_id, reference, salt }: MovementDetail,
): string {
  return textDigest(primitives, flatJson({ creditor, debtor, memo, receipt_id, reference, salt }));
}

/**
 * Returns the hash of an entry: the digest of its members. Each hash also covers all previous entries of the
 * account.
 */
export function entryHash(primitives: Primitives, owner: JournalOwner, entry: JournalEntry): string {
  const { amount, asset, balance_after, created_at, detail_hash, direction } = entry;
  const { entry_id, kind, of, prev_entry_hash } = entry;
  const members = { amount, asset, balance_after, created_at, detail_hash, direction, entry_id, kind, of };
  const json =
    'operator_id' in owner
      ? flatJson({ ...members, operator_id: owner.operator_id, prev_entry_hash })
      : flatJson({ ...members, prev_entry_hash, subject_commitment: owner.subject_commitment });
  return textDigest(primitives, json);
}

/**
 * Returns the canonical JSON of an object whose members are in canonical order, and are integers, null, or
 * text of the database or of a parsed request, which has no lone surrogates; undefined ones are left out. For
 * these JSON.stringify is the same and faster, and every movement needs three.
 */
function flatJson(members: Readonly<Record<string, string | number | null | undefined>>): string {
  return JSON.stringify(members);
}

/**
 * Returns the id of a movement's entry. A transaction id is a UUIDv7 whose last four bits are 0; its entries
 * count up in them.
 * @param transactionId `txn_…` @param ordinal the number of the movement in its transaction, 0 to 6
 */
export function entryId(transactionId: string, ordinal: number, direction: 'credit' | 'debit'): string {
  const number = 2 * ordinal + (direction === 'debit' ? 1 : 2);
  return `entry_${transactionId.slice('txn_'.length, -1)}${number.toString(16)}`;
}
