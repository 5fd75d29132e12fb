import type { KeyObject } from 'node:crypto';
import type { Transaction } from '../../../platform/store/transaction.ts';

/** A key that signs checkpoints, or did. */
export interface LogKey {
  keySeq: number;
  kid: string;
  purpose: string;
  algorithm: 'Ed25519' | 'ML-DSA-44';
  /** Lower-case hexadecimal. */
  publicKey: string;
  privateKey: KeyObject;
}

/** The signing keys, as far as the log uses them; the capability `keys` holds them. */
export interface LogSigner {
  /** The Ed25519 key that signs now. */
  activeKey(purpose: 'log'): LogKey;
  /** Every key that signs checkpoints at a time, in milliseconds since 1970; the first is the active Ed25519 key. */
  logKeys(now: number): readonly LogKey[];
  /** Those and the ones that sign next. */
  publishedLogKeys(now: number): readonly LogKey[];
  /** All keys, of whatever purpose and state. */
  all(): readonly LogKey[];
  /** The public keys on the disk that may have signed the log, also those that the database does not know. */
  logKeysOnDisk(): readonly Pick<LogKey, 'algorithm' | 'publicKey'>[];
  /** Dates a key back to what it signs at `signedAt` (RFC 3339), where the clock was set back since the key was activated. */
  backdateIn(tx: Transaction, keySeq: number, signedAt: string): void | Promise<void>;
}
