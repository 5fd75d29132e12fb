import type { KeyObject } from 'node:crypto';
import { signEd25519, signEd25519Async, signMlDsa44 } from '../../../../platform/crypto/crypto.ts';
import {
  generateKeyPair,
  type KeyPair,
  loadKeyPair,
  saveKeyPair,
} from '../../../../platform/crypto/key-files.ts';
import type { Transaction } from '../../../../platform/store/transaction.ts';
import { bytesToHex } from '../../../../proof/encoding/hex.ts';
import { logPurposeOf } from '../../../../proof/log/key-purposes.ts';
import type { LogName } from '../../../../proof/log/log-names.ts';
import { publicKeysIn } from '../files/public-keys.ts';
import { backdateKey, type KeyAlgorithm, type KeyPurpose, type SigningKeyRow } from '../store.ts';

/** A key's row with its private key. */
export interface SigningKey extends SigningKeyRow {
  privateKey: KeyObject;
}

export interface Signed {
  /** 128 lower-case hexadecimal characters. */
  signature: string;
  kid: string;
  keySeq: number;
}

/** Signs a message with a key of either algorithm. */
export function signBy({ algorithm, privateKey }: SigningKey, message: Uint8Array): Uint8Array {
  return algorithm === 'Ed25519' ? signEd25519(privateKey, message) : signMlDsa44(privateKey, message);
}

/** Holds the signing keys. Signing is synchronous, so the body of a transaction may sign. */
export class Signer {
  private keys: readonly SigningKey[] = [];
  private active = new Map<KeyPurpose, SigningKey>();
  /** Settles when the last requested asynchronous signature is done. */
  private lastAsync: Promise<void> = Promise.resolve();

  /**
   * @param directory of the private keys
   * @throws KeyFileError if one of them is missing
   */
  constructor(
    private readonly directory: string,
    rows: readonly SigningKeyRow[],
  ) {
    this.reload(rows);
  }

  /** Replaces the keys. @throws KeyFileError */
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

  /** Generates a key pair, and stores the private key before anything names it. */
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
   * Signs off the event loop. Signatures settle in the order of their requests. Meanwhile another key may
   * become the active one.
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

  /** Returns the active Ed25519 key of a purpose. */
  activeKey(purpose: KeyPurpose): SigningKey {
    const key = this.active.get(purpose);
    if (key === undefined) throw new Error(`no active key for ${purpose}`);
    return key;
  }

  /**
   * Returns every key that signs a log's checkpoints at a time. The active Ed25519 key is first, then the
   * active key of the other algorithm, then keys that were rotated out lately.
   */
  logKeys(name: LogName, now: number): SigningKey[] {
    const ofLog = this.keysOf(name);
    const active = ofLog.filter(({ status, algorithm }) => status === 'active' && algorithm !== 'Ed25519');
    const overlapping = ofLog.filter(
      ({ status, validUntil }) => status === 'retired' && validUntil !== null && Date.parse(validUntil) > now,
    );
    return [this.activeKey(logPurposeOf(name)), ...active, ...overlapping];
  }

  /** Returns those keys and the next ones, for verifiers that have to know them beforehand. */
  publishedLogKeys(name: LogName, now: number): SigningKey[] {
    const next = this.keysOf(name).filter(({ status }) => status === 'next');
    return [...this.logKeys(name, now), ...next];
  }

  /** Returns all keys of any status. */
  all(): readonly SigningKey[] {
    return this.keys;
  }

  /**
   * Returns the public keys in the keys directory that may have signed a log, including keys that are newer
   * than the database. Keys that it knows to be compromised, or for another purpose, are left out.
   */
  logKeysOnDisk(name: LogName): Pick<KeyPair, 'algorithm' | 'publicKey'>[] {
    const excludedKeys = new Set(
      this.keys
        .filter(({ purpose, status }) => purpose !== logPurposeOf(name) || status === 'compromised')
        .map(({ publicKey }) => publicKey),
    );
    return publicKeysIn(this.directory).filter(({ publicKey }) => !excludedKeys.has(publicKey));
  }

  /**
   * Moves a key's valid_from back to `signedAt` (RFC 3339, as the program writes it), so that it is never
   * after a signature. Does nothing unless the clock was set back since the key was activated.
   */
  async backdateIn(tx: Transaction, keySeq: number, signedAt: string): Promise<void> {
    const known = this.keys.find((key) => key.keySeq === keySeq);
    if (known !== undefined && known.validFrom <= signedAt) return;
    const rows = await backdateKey(tx, keySeq, signedAt);
    tx.afterCommit(() => this.reload(rows));
  }

  /** Returns the keys of a log, of any status. */
  private keysOf(name: LogName): readonly SigningKey[] {
    return this.keys.filter(({ purpose }) => purpose === logPurposeOf(name));
  }
}

function nothing(): void {
  // Only its end counts, not its result.
}
