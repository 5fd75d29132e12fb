import { hexToBytes } from '../../proof/encoding/hex.ts';
import { verifyStrict } from '../../proof/keys/ed25519.ts';
import { type KeyEntry, keyEntryMessage } from '../../proof/log/log-entry.ts';
import { nativePrimitives } from '../crypto/crypto.ts';
import { thumbprintOf } from '../crypto/key-files.ts';

/** The maximum time between the first keys of a log, which are added in one transaction. */
const TOGETHER_MS = 5000;

/** Returns whether a signature of an entry verifies with this key. */
export function isSignedBy(
  entry: KeyEntry,
  { algorithm, public_key }: Pick<KeyEntry, 'algorithm' | 'public_key'>,
  signature: string,
): boolean {
  const message = keyEntryMessage(nativePrimitives, entry);
  const [bytes, raw] = [hexToBytes(signature), hexToBytes(public_key)];
  return algorithm === 'Ed25519'
    ? verifyStrict(nativePrimitives, bytes, message, raw)
    : nativePrimitives.mlDsa44Verify?.(bytes, message, raw) === true;
}

/** Returns whether an entry's kid is the thumbprint of its public key. */
export function isNamedRightly({ kid, algorithm, public_key }: KeyEntry): boolean {
  const known = algorithm === 'Ed25519' ? 'Ed25519' : 'ML-DSA-44';
  return thumbprintOf(known, hexToBytes(public_key)) === kid;
}

/**
 * Determines which keys of a key log are cross-signed. An added key must be signed by an earlier one: a key of purpose `log`, or one of its
 * purpose and algorithm. The first keys of a log, and the first key of a purpose and algorithm, have no earlier key and sign themselves.
 */
export class CrossSigners {
  private readonly accepted = new Map<string, KeyEntry>();
  private readonly keyTypes = new Set<string>();
  private readonly compromised = new Set<string>();
  private begun: number | null = null;
  private isBeginning = true;

  /** Reads the next entry. @returns the problem of an added key without a valid cross-signature; null otherwise */
  take(entry: KeyEntry): string | null {
    const { event, kid, at, signatures } = entry;
    const isOwn = signatures.every((by) => by.kid === kid);
    const time = Date.parse(at);
    this.begun ??= time;
    this.isBeginning &&=
      isOwn && (event === 'added' || event === 'activated') && Math.abs(time - this.begun) <= TOGETHER_MS;
    if (event === 'compromised') this.compromised.add(kid);
    if (event !== 'added') return null;
    const keyType = keyTypeOf(entry);
    const isFirst = this.isBeginning || !this.keyTypes.has(keyType);
    this.keyTypes.add(keyType);
    // A wrong kid is reported separately, and a second entry of a key changes nothing.
    if (this.accepted.has(kid) || !isNamedRightly(entry)) return null;
    const counts = signatures.some(({ kid: by, signature }) => {
      if (by === kid) return isFirst && isSignedBy(entry, entry, signature);
      const signer = this.accepted.get(by);
      return (
        signer !== undefined && this.mayCrossSign(signer, keyType) && isSignedBy(entry, signer, signature)
      );
    });
    if (!counts) return `it adds the key ${kid}, which no earlier key cross-signed`;
    this.accepted.set(kid, entry);
    return null;
  }

  /** Returns the entry that added a cross-signed key; null for any other key. */
  named(kid: string): KeyEntry | null {
    return this.accepted.get(kid) ?? null;
  }

  /** Returns every cross-signed key, in the order of the log. */
  all(): KeyEntry[] {
    return [...this.accepted.values()];
  }

  /** Returns an independent copy. */
  copy(): CrossSigners {
    const copy = new CrossSigners();
    for (const [kid, entry] of this.accepted) copy.accepted.set(kid, entry);
    for (const keyType of this.keyTypes) copy.keyTypes.add(keyType);
    for (const kid of this.compromised) copy.compromised.add(kid);
    copy.begun = this.begun;
    copy.isBeginning = this.isBeginning;
    return copy;
  }

  private mayCrossSign(signer: KeyEntry, keyType: string): boolean {
    const isEntitled = signer.purpose === 'log' || keyTypeOf(signer) === keyType;
    return isEntitled && !this.compromised.has(signer.kid);
  }
}

function keyTypeOf({ purpose, algorithm }: KeyEntry): string {
  return `${purpose} ${algorithm}`;
}
