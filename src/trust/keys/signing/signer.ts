import type { KeyObject } from 'node:crypto';
import { signEd25519, signEd25519Async, signMlDsa44 } from '../../../platform/crypto/crypto.ts';
import {
  generateKeyPair,
  type KeyPair,
  loadKeyPair,
  saveKeyPair,
} from '../../../platform/crypto/key-files.ts';
import type { Transaction } from '../../../platform/store/transaction.ts';
import { bytesToHex } from '../../../proof/encoding/hex.ts';
import { publicKeysIn } from '../files/public-keys.ts';
import { backdateKey, type KeyAlgorithm, type KeyPurpose, type SigningKeyRow } from '../store.ts';

/** A key's row with its private half. */
export interface SigningKey extends SigningKeyRow {
  privateKey: KeyObject;
}

export interface Signed {
  /** 128 lower-case hexadecimal characters. */
  signature: string;
  kid: string;
  keySeq: number;
}

/** The service's signature by a key of either algorithm. */
export function signBy({ algorithm, privateKey }: SigningKey, message: Uint8Array): Uint8Array {
  return algorithm === 'Ed25519' ? signEd25519(privateKey, message) : signMlDsa44(privateKey, message);
}

/** Holds the signing keys. Signing is synchronous, so a transaction's body may do it. */
export class Signer {
  private keys: readonly SigningKey[] = [];
  private active = new Map<KeyPurpose, SigningKey>();
  /** When the last signature that was asked for is done. */
  private lastAsync: Promise<void> = Promise.resolve();

  /**
   * @param directory where the private keys lie
   * @throws KeyFileError when one of them is not there
   */
  constructor(
    private readonly directory: string,
    rows: readonly SigningKeyRow[],
  ) {
    this.reload(rows);
  }

  /** Takes the keys as they stand from here on. @throws KeyFileError */
  reload(rows: readonly SigningKeyRow[]): void {
    this.keys = rows.map((row) => {
      const known = this.keys.find(({ kid }) => kid === row.kid);
      return {
        ...row,
        privateKey: known?.privateKey ?? loadKeyPair(this.directory, row.algorithm, row.kid).privateKey,
      };
    });
    const inUse = this.keys.filter(({ status, algorithm }) => status === 'active' && algorithm === 'Ed25519');
    this.active = new Map(inUse.map((key) => [key.purpose, key]));
  }

  /** Makes a key pair whose private half is on the disk before anything names it. */
  generate({ algorithm }: { algorithm: KeyAlgorithm }): KeyPair {
    const pair = generateKeyPair(algorithm);
    saveKeyPair(this.directory, pair);
    return pair;
  }

  /** Signs `message` with the active Ed25519 key of `purpose`. */
  sign(purpose: KeyPurpose, message: Uint8Array): Signed {
    const key = this.activeKey(purpose);
    return { signature: bytesToHex(signBy(key, message)), kid: key.kid, keySeq: key.keySeq };
  }

  /**
   * `sign` beside the event loop; signatures come in the order in which they were asked for. When one is done, another key may be the
   * active one.
   */
  signAsync(purpose: KeyPurpose, message: Uint8Array): Promise<Signed> {
    const { privateKey, kid, keySeq } = this.activeKey(purpose);
    const signing = signEd25519Async(privateKey, message);
    const earlier = this.lastAsync;
    const inTurn = async (): Promise<Signed> => {
      const signature = await signing;
      await earlier;
      return { signature: bytesToHex(signature), kid, keySeq };
    };
    const signed = inTurn();
    this.lastAsync = signed.then(nothing, nothing);
    return signed;
  }

  /** The active Ed25519 key of a purpose. */
  activeKey(purpose: KeyPurpose): SigningKey {
    const key = this.active.get(purpose);
    if (key === undefined) throw new Error(`no active key for ${purpose}`);
    return key;
  }

  /** Every key that signs checkpoints at a time: the active Ed25519 key, that of the other algorithm, and those that were rotated out lately. */
  logKeys(now: number): SigningKey[] {
    const ofLog = this.keys.filter(({ purpose }) => purpose === 'log');
    const active = ofLog.filter(({ status, algorithm }) => status === 'active' && algorithm !== 'Ed25519');
    const overlapping = ofLog.filter(
      ({ status, validUntil }) => status === 'retired' && validUntil !== null && Date.parse(validUntil) > now,
    );
    return [this.activeKey('log'), ...active, ...overlapping];
  }

  /** Those and the ones that sign next, for whoever has to know them by then. */
  publishedLogKeys(now: number): SigningKey[] {
    const next = this.keys.filter(({ purpose, status }) => purpose === 'log' && status === 'next');
    return [...this.logKeys(now), ...next];
  }

  /** All keys, whatever their state. */
  all(): readonly SigningKey[] {
    return this.keys;
  }

  /**
   * The public keys on the disk that may have signed the log: also those that are younger than the database, but none that it knows to
   * be for something else or compromised.
   */
  logKeysOnDisk(): Pick<KeyPair, 'algorithm' | 'publicKey'>[] {
    const others = new Set(
      this.keys
        .filter(({ purpose, status }) => purpose !== 'log' || status === 'compromised')
        .map(({ publicKey }) => publicKey),
    );
    return publicKeysIn(this.directory).filter(({ publicKey }) => !others.has(publicKey));
  }

  /**
   * Dates a key back to what it signs at `signedAt` (RFC 3339, as the program writes it), where the clock was set back since the
   * key was activated: its valid_from is never after what it signed. Does nothing else, which is nearly always.
   */
  backdateIn(tx: Transaction, keySeq: number, signedAt: string): void | Promise<void> {
    const known = this.keys.find((key) => key.keySeq === keySeq);
    // Every signature asks: there is nothing to wait for.
    if (known !== undefined && known.validFrom <= signedAt) return undefined;
    return this.moveBackIn(tx, keySeq, signedAt);
  }

  private async moveBackIn(tx: Transaction, keySeq: number, signedAt: string): Promise<void> {
    const rows = await backdateKey(tx, keySeq, signedAt);
    tx.afterCommit(() => this.reload(rows));
  }
}

function nothing(): void {
  // Only when it ends counts.
}
