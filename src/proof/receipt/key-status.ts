import { hexToBytes, isHex } from '../encoding/hex.ts';
import { parseTimestamp } from '../encoding/timestamp.ts';
import { verifyStrict } from '../keys/ed25519.ts';
import type { TrustedKey } from '../keys/trusted-keys.ts';
import type { Primitives } from '../primitives.ts';
import { type Receipt, signingMessage } from './receipt.ts';

/** Where a log of receipts holds a signature, as a proof that was verified says. */
export interface LeafPosition {
  /** The log's origin. */
  log: string;
  /** From 0. */
  index: number;
}

/** How far a key can be relied on for one receipt, from best to worst. */
const KEY_TRUST = ['trusted', 'retired', 'compromised'] as const;
export type KeyTrust = (typeof KEY_TRUST)[number];

/** What the trusted keys say of a receipt's signature. */
export interface KeyCheck {
  signature: 'ok' | 'bad' | 'unchecked';
  key: KeyTrust | 'unknown' | 'unchecked';
  /** The key that made the signature, or else the one that the receipt names. */
  kid: string | null;
}

/**
 * Holds a receipt's signature, made over the content_hash that it states, against the keys of purpose `receipts`: the
 * one that its kid names or, without a kid, each. A kid that none has is `unknown`, its signature `unchecked`; where
 * no kid is named and no key fits, there is no key to speak of, and `key` is `unchecked`.
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

/** Lists gathered from two sources can hold one key twice; the news that it is compromised must win. */
function worst(keys: readonly TrustedKey[], receipt: Receipt, position: LeafPosition | null): KeyTrust {
  const ranks = keys.map((key) => KEY_TRUST.indexOf(trustIn(key, receipt, position)));
  return KEY_TRUST[Math.max(...ranks)] ?? 'compromised';
}

/**
 * The log, which only grows, tells better than any date which signatures are older than the end of a key: those that stood
 * in it then. Without it, a retired key keeps what is dated up to its end, and a compromised one nothing, since whoever
 * has it can date as he likes. A receipt dated before its key's valid_from is no fault.
 */
function trustIn(key: TrustedKey, receipt: Receipt, position: LeafPosition | null): KeyTrust {
  const isOlder = isLoggedBeforeEnd(key, position);
  if (isOlder === true) return 'trusted';
  if (key.status === 'compromised') return 'compromised';
  if (isOlder === false) return 'retired';
  if (key.valid_until === null) return key.status === 'retired' ? 'retired' : 'trusted';
  const end = parseTimestamp(key.valid_until);
  const issued = parseTimestamp(receipt.issued_at);
  return end !== null && issued !== null && issued <= end ? 'trusted' : 'retired';
}

/** Null where the two cannot be compared: there is no position, the key has no end, or it ended in another log. */
function isLoggedBeforeEnd(
  { receipts_logs, receipts_tree_size }: TrustedKey,
  position: LeafPosition | null,
): boolean | null {
  if (position === null || receipts_tree_size === null || !receipts_logs.includes(position.log)) return null;
  return position.index < receipts_tree_size;
}
