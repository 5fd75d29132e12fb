import { hexToBytes } from '../../proof/encoding/hex.ts';
import { verifyStrict } from '../../proof/keys/ed25519.ts';
import { type KeyEntry, keyEntryMessage } from '../../proof/log/log-entry.ts';
import { nativePrimitives } from '../crypto/crypto.ts';
import { thumbprintOf } from '../crypto/key-files.ts';

/** The first keys of a log are entered in one transaction. */
const TOGETHER_MS = 5000;

/** Whether the entry's signature is by this key. */
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

/** Whether the entry's kid is that of its public key. */
export function isNamedRightly({ kid, algorithm, public_key }: KeyEntry): boolean {
  const known = algorithm === 'Ed25519' ? 'Ed25519' : 'ML-DSA-44';
  return thumbprintOf(known, hexToBytes(public_key)) === kid;
}

/**
 * Which keys of a key log are cross-signed. A key that is added is signed by one that was there before it: one of the log, or
 * its predecessor. The first keys of a log, and the first of a purpose and algorithm, have nobody before them and speak for
 * themselves.
 */
export class CrossSigners {
  private readonly accepted = new Map<string, KeyEntry>();
  private readonly keyTypes = new Set<string>();
  private readonly compromised = new Set<string>();
  private begun: number | null = null;
  private isBeginning = true;

  /** Takes the next entry. @returns what is wrong with a key that it adds; null for all others */
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
    // Its name is told of by itself, and a second entry of a key changes nothing.
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

  /** The same, to go on by itself. */
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
