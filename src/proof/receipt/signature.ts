import { hexToBytes, isHex } from '../encoding/hex.ts';
import { AHEAD_MS, parseTimestamp } from '../encoding/timestamp.ts';
import { verifyStrict } from '../keys/ed25519.ts';
import type { TrustedKey } from '../keys/trusted-keys.ts';
import type { Primitives } from '../primitives.ts';
import { type Receipt, signingMessage } from './receipt.ts';

/** The position of a signature in a receipts log, from a verified proof. */
export interface LeafPosition {
  /** The log's origin. */
  log: string;
  /** From 0. */
  index: number;
}

/** The tree of a proof. Times are in milliseconds since 1970; null for one that nothing says. */
export interface DatedTree {
  size: number;
  /** When a key of the log signed it. Later, the log was at least as large. */
  signed: number | null;
  /** When a key of the log had signed it; with a policy, when the quorum had. */
  earliest: number | null;
}

/** The trust in a key for one receipt, from best to worst. */
const KEY_TRUST = ['trusted', 'retired', 'compromised'] as const;
export type KeyTrust = (typeof KEY_TRUST)[number];

/** The result of checking a receipt's signature with the trusted keys. */
export interface KeyCheck {
  signature: 'ok' | 'bad' | 'unchecked';
  key: KeyTrust | 'unknown' | 'unchecked';
  /** The key that made the signature; if none did, the key that the receipt names. */
  kid: string | null;
  /**
   * Why the tree of the position contradicts `receipts_tree_size` of the key, in a sentence; null if it does
   * not. The position is then judged by the tree.
   */
  contradicted: string | null;
}

/**
 * Verifies a receipt's signature over its stated content_hash with the keys of purpose `receipts`: the key
 * with its kid or, without a kid, every key. If no key has the kid, `key` is `unknown` and `signature`
 * `unchecked`. If the receipt has no kid and no key fits, `key` is `unchecked`.
 *
 * @param position where a log holds this very signature; null where no proof says so
 * @param tree the tree that the proof is for; null if nothing is known of it
 */
export function checkKey(
  primitives: Primitives,
  receipt: Receipt,
  keys: readonly TrustedKey[],
  position: LeafPosition | null = null,
  tree: DatedTree | null = null,
): KeyCheck {
  const named = receipt.kid;
  const candidates = keys.filter(
    (key) => key.purpose === 'receipts' && (named === undefined || key.kid === named),
  );
  if (candidates.length === 0)
    return { signature: 'unchecked', key: 'unknown', kid: named ?? null, contradicted: null };
  const isSigner = onceForEachKey((key: TrustedKey) => isSignedBy(primitives, receipt, key));
  const signers = candidates.filter(isSigner);
  const [signer] = signers;
  const logged = position && { ...position, tree };
  if (signer !== undefined) return { signature: 'ok', ...worst(signers, receipt, logged), kid: signer.kid };
  if (named === undefined) return { signature: 'bad', key: 'unchecked', kid: null, contradicted: null };
  return { signature: 'bad', ...worst(candidates, receipt, logged), kid: named };
}

/** Returns a check of a public key that is done once, however many rows the key has. */
export function onceForEachKey<Row extends { public_key: string }>(
  check: (row: Row) => boolean,
): (row: Row) => boolean {
  const known = new Map<string, boolean>();
  return (row) => {
    const found = known.get(row.public_key) ?? check(row);
    known.set(row.public_key, found);
    return found;
  };
}

/** A position with the tree in which a proof shows it. */
type Logged = LeafPosition & { tree: DatedTree | null };

function isSignedBy(primitives: Primitives, receipt: Receipt, key: TrustedKey): boolean {
  return (
    isHex(key.public_key, 32) &&
    verifyStrict(
      primitives,
      hexToBytes(receipt.signature),
      signingMessage(receipt.content_hash),
      hexToBytes(key.public_key),
    )
  );
}

/**
 * Returns the worst trust of the keys. Lists from two sources can contain a key twice; `compromised` in one
 * of them must win.
 */
function worst(
  keys: readonly TrustedKey[],
  receipt: Receipt,
  logged: Logged | null,
): Pick<KeyCheck, 'contradicted'> & { key: KeyTrust } {
  const places = keys.map((key) => ({ key, place: placeOf(key, logged) }));
  const ranks = places.map(({ key, place }) => KEY_TRUST.indexOf(trustIn(key, receipt, place.isOlder)));
  return {
    key: KEY_TRUST[Math.max(...ranks)] ?? 'compromised',
    contradicted: places.find(({ place }) => place.contradicted !== null)?.place.contradicted ?? null,
  };
}

/**
 * Returns the trust in a key for a receipt. A position in the append-only log is better evidence than a date:
 * signatures that were in the log at the key's end are trusted. Without a position, a retired key is trusted
 * for receipts dated up to its end, and a compromised key for none, because an attacker can choose the date.
 * A receipt may be dated before its key's valid_from.
 */
function trustIn(key: TrustedKey, receipt: Receipt, isOlder: boolean | null): KeyTrust {
  if (isOlder === true) return 'trusted';
  if (key.status === 'compromised') return 'compromised';
  if (isOlder === false) return 'retired';
  // A key with a size has ended; without a date, nothing shows that the receipt is older.
  if (key.valid_until === null)
    return key.status === 'retired' || key.receipts_tree_size !== null ? 'retired' : 'trusted';
  const end = parseTimestamp(key.valid_until);
  const issued = parseTimestamp(receipt.issued_at);
  return end !== null && issued !== null && issued <= end ? 'trusted' : 'retired';
}

/** Whether a signature was logged before the end of its key; null when there is nothing to compare. */
interface PlaceInLog {
  isOlder: boolean | null;
  contradicted: string | null;
}

/**
 * Compares a position with the size of the log at the end of a key. If the tree of the position contradicts
 * that size, the position is judged by the tree: it was signed before the end, or else after it.
 */
function placeOf(
  { receipts_logs, receipts_tree_size: size, valid_until }: TrustedKey,
  logged: Logged | null,
): PlaceInLog {
  if (logged === null || size === null || !receipts_logs.includes(logged.log))
    return { isOlder: null, contradicted: null };
  const { tree, index } = logged;
  const end = valid_until === null ? null : parseTimestamp(valid_until);
  const wrong = tree === null || end === null ? null : contradiction(tree, { size, end });
  if (wrong === null) return { isOlder: index < size, contradicted: null };
  const said = `receipts_tree_size of the key is ${size} at its end at ${valid_until}`;
  return {
    isOlder: wrong === 'too small',
    contradicted: `${said}, which is ${wrong}: the tree of the proof has ${tree?.size} entries, and was signed ${wrong === 'too small' ? 'before' : 'after'} that`,
  };
}

/**
 * Returns how a tree contradicts the size of its log at some time, since a log only grows. Only the time of
 * the log's own key shows that the log was no larger: witnesses cosign an old tree again for whoever asks.
 */
function contradiction(
  tree: DatedTree,
  { size, end }: { size: number; end: number },
): 'too small' | 'too large' | null {
  if (tree.size > size && tree.earliest !== null && tree.earliest < end - AHEAD_MS) return 'too small';
  return tree.size < size && tree.signed !== null && tree.signed > end + AHEAD_MS ? 'too large' : null;
}
