import type { KeyObject } from 'node:crypto';
import type { Transaction } from '../../../platform/store/transaction.ts';
import type { LogPurpose } from '../../../proof/log/key-purposes.ts';
import type { LogName } from '../../../proof/log/log-names.ts';

/** A key that signs or signed checkpoints. */
export interface LogKey {
  keySeq: number;
  kid: string;
  purpose: string;
  algorithm: 'Ed25519' | 'ML-DSA-44';
  /** Lower-case hexadecimal. */
  publicKey: string;
  privateKey: KeyObject;
}

/** The signing keys as the log uses them; the capability `keys` has them. */
export interface LogSigner {
  /** Returns the active Ed25519 key. */
  activeKey(purpose: LogPurpose): LogKey;
  /**
   * Returns every key that signs a log's checkpoints at a time, in milliseconds since 1970. The first is the
   * active Ed25519 key.
   */
  logKeys(name: LogName, now: number): readonly LogKey[];
  /** Returns those keys and the next ones. */
  publishedLogKeys(name: LogName, now: number): readonly LogKey[];
  /** Returns all keys of any purpose and status. */
  all(): readonly LogKey[];
  /**
   * Returns the public keys in the keys directory that may have signed a log, including those that the
   * database does not know.
   */
  logKeysOnDisk(name: LogName): readonly Pick<LogKey, 'algorithm' | 'publicKey'>[];
  /**
   * Moves `valid_from` of a key back to `signedAt` (RFC 3339) if the clock was set back since its activation.
   */
  backdateIn(tx: Transaction, keySeq: number, signedAt: string): Promise<void>;
}
