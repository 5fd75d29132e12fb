import { hexToBytes, isHex } from '../encoding/hex.ts';
import { parseTimestamp } from '../encoding/timestamp.ts';
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

/** The trust in a key for one receipt, from best to worst. */
const KEY_TRUST = ['trusted', 'retired', 'compromised'] as const;
export type KeyTrust = (typeof KEY_TRUST)[number];

/** The result of checking a receipt's signature with the trusted keys. */
export interface KeyCheck {
  signature: 'ok' | 'bad' | 'unchecked';
  key: KeyTrust | 'unknown' | 'unchecked';
  /** The key that made the signature; if none did, the key that the receipt names. */
  kid: string | null;
}

/**
 * Verifies a receipt's signature over its stated content_hash with the keys of purpose `receipts`: the key
 * with its kid or, without a kid, every key. If no key has the kid, `key` is `unknown` and `signature`
 * `unchecked`. If the receipt has no kid and no key fits, `key` is `unchecked`.
 *
 * @param position where a log holds this very signature; null where no proof says so
 */
export function checkKey(
  primitives: Primitives,
  receipt: Receipt,
  keys: readonly TrustedKey[],
  position: LeafPosition | null = null,
): KeyCheck {
  const named = receipt.kid;
  const candidates = keys.filter(
    (key) => key.purpose === 'receipts' && (named === undefined || key.kid === named),
  );
  if (candidates.length === 0) return { signature: 'unchecked', key: 'unknown', kid: named ?? null };
  const signers = candidates.filter((key) => isSignedBy(primitives, receipt, key));
  const [signer] = signers;
  if (signer !== undefined)
    return { signature: 'ok', key: worst(signers, receipt, position), kid: signer.kid };
  if (named === undefined) return { signature: 'bad', key: 'unchecked', kid: null };
  return { signature: 'bad', key: worst(candidates, receipt, position), kid: named };
}

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
function worst(keys: readonly TrustedKey[], receipt: Receipt, position: LeafPosition | null): KeyTrust {
  const ranks = keys.map((key) => KEY_TRUST.indexOf(trustIn(key, receipt, position)));
  return KEY_TRUST[Math.max(...ranks)] ?? 'compromised';
}

/**
 * Returns the trust in a key for a receipt. A position in the append-only log is better evidence than a date:
 * signatures that were in the log at the key's end are trusted. Without a position, a retired key is trusted
 * for receipts dated up to its end, and a compromised key for none, because an attacker can choose the date.
 * A receipt may be dated before its key's valid_from.
 */
function trustIn(key: TrustedKey, receipt: Receipt, position: LeafPosition | null): KeyTrust {
  const isOlder = isLoggedBeforeEnd(key, position);
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

/**
 * Returns null when there is nothing to compare: no position, a key without an end, or an end in another log.
 */
function isLoggedBeforeEnd(
  { receipts_logs, receipts_tree_size }: TrustedKey,
  position: LeafPosition | null,
): boolean | null {
  if (position === null || receipts_tree_size === null || !receipts_logs.includes(position.log)) return null;
  return position.index < receipts_tree_size;
}
