import { hexToBytes } from '../encoding/hex.ts';
import { verifyStrict } from '../keys/ed25519.ts';
import { thumbprintOf } from '../keys/kid.ts';
import type { Primitives } from '../primitives.ts';
import { logPurposeOf } from './key-purposes.ts';
import { type KeyEntry, keyEntryMessage } from './log-entry.ts';

/** The keys of this purpose cross-sign keys of every purpose, and sign the reports of compromises. */
const KEY_LOG_PURPOSE = logPurposeOf('keys');

/** The maximum time between the first keys of a log, which are added in one transaction. */
const TOGETHER_MS = 5000;

/** Returns whether a signature of an entry verifies with this key. */
export function isSignedBy(
  primitives: Primitives,
  entry: KeyEntry,
  { algorithm, public_key }: Pick<KeyEntry, 'algorithm' | 'public_key'>,
  signature: string,
): boolean {
  const message = keyEntryMessage(primitives, entry);
  const [bytes, raw] = [hexToBytes(signature), hexToBytes(public_key)];
  return algorithm === 'Ed25519'
    ? verifyStrict(primitives, bytes, message, raw)
    : primitives.mlDsa44Verify?.(bytes, message, raw) === true;
}

/** Returns whether an entry's kid is the thumbprint of its public key. */
export function isNamedRightly(primitives: Primitives, { kid, algorithm, public_key }: KeyEntry): boolean {
  const known = algorithm === 'Ed25519' ? 'Ed25519' : 'ML-DSA-44';
  return thumbprintOf(primitives, known, hexToBytes(public_key)) === kid;
}

/**
 * Determines which keys of a key log are cross-signed. An added key must be signed by an earlier one: a key
 * of the key log, of either algorithm, or one of its purpose and algorithm. So must its later events, but
 * only a key of the key log reports a compromise. A key's signature over its own entries counts only for the
 * first keys of a log, which have no earlier key: one of each purpose and algorithm. Their dates alone do not
 * tell them from later ones, since whoever adds a key chooses its date.
 */
export class CrossSigners {
  private readonly accepted = new Map<string, KeyEntry>();
  private readonly compromised = new Set<string>();
  private begun: number | null = null;
  private isBeginning = true;

  constructor(private readonly primitives: Primitives) {}

  /**
   * Reads the next entry. @returns the problem of an entry without a valid signature by another key; null
   * otherwise
   */
  take(entry: KeyEntry): string | null {
    const { event, kid, at, signatures } = entry;
    const isOwn = signatures.every((by) => by.kid === kid);
    const time = Date.parse(at);
    this.begun ??= time;
    this.isBeginning &&=
      isOwn && (event === 'added' || event === 'activated') && Math.abs(time - this.begun) <= TOGETHER_MS;
    if (event === 'compromised') this.compromised.add(kid);
    if (event !== 'added') {
      // The events of a key that was not accepted mean nothing, and the key itself is already reported.
      if (!this.accepted.has(kid) || this.isSigned(entry)) return null;
      return event === 'compromised'
        ? `it reports the key ${kid} as compromised, but no other key of the key log signed the report`
        : `no other key than ${kid} signed it`;
    }
    // A wrong kid is reported separately, and a second entry of a key changes nothing.
    if (this.accepted.has(kid) || !isNamedRightly(this.primitives, entry)) return null;
    if (!this.isSigned(entry)) return `it adds the key ${kid}, which no earlier key cross-signed`;
    this.accepted.set(kid, entry);
    return null;
  }

  /** Returns whether a key that may do so signed an entry. */
  private isSigned(entry: KeyEntry): boolean {
    return entry.signatures.some(({ kid: by, signature }) => {
      if (by === entry.kid)
        return this.isFirst(entry) && isSignedBy(this.primitives, entry, entry, signature);
      const signer = this.accepted.get(by);
      return (
        signer !== undefined &&
        this.maySign(signer, entry) &&
        isSignedBy(this.primitives, entry, signer, signature)
      );
    });
  }

  /** Returns whether an entry is of one of the log's first keys. */
  private isFirst({ kid, purpose, algorithm }: KeyEntry): boolean {
    const isOther = (key: KeyEntry): boolean =>
      key.kid !== kid && key.purpose === purpose && key.algorithm === algorithm;
    return this.isBeginning && ![...this.accepted.values()].some(isOther);
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
    const copy = new CrossSigners(this.primitives);
    for (const [kid, entry] of this.accepted) copy.accepted.set(kid, entry);
    for (const kid of this.compromised) copy.compromised.add(kid);
    copy.begun = this.begun;
    copy.isBeginning = this.isBeginning;
    return copy;
  }

  /**
   * Returns whether another key may sign an entry: a key of the key log, or but for a compromise one that it
   * replaces or is replaced by.
   */
  private maySign(signer: KeyEntry, { event, purpose, algorithm }: KeyEntry): boolean {
    const isOfRotation =
      event !== 'compromised' && signer.purpose === purpose && signer.algorithm === algorithm;
    const isEntitled = signer.purpose === KEY_LOG_PURPOSE || isOfRotation;
    return isEntitled && !this.compromised.has(signer.kid);
  }
}
