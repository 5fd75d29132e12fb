import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { existsSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { bytesToHex } from '../../proof/encoding/hex.ts';
import { thumbprintOf } from '../../proof/keys/kid.ts';
import { readText } from '../files/read.ts';
import { writeSecretFile } from '../files/write.ts';
import { nativePrimitives } from './crypto.ts';

export type KeyAlgorithm = 'Ed25519' | 'ML-DSA-44';

/** The keys directory has no valid key file; the hint says what to do. */
export class KeyFileError extends Error {
  override readonly name = 'KeyFileError';
  constructor(
    message: string,
    readonly hint: string,
  ) {
    super(message);
  }
}

export interface KeyPair {
  kid: string;
  algorithm: KeyAlgorithm;
  /** Lower-case hexadecimal of the raw public key: 32 bytes for Ed25519, 1,312 for ML-DSA-44. */
  publicKey: string;
  privateKey: KeyObject;
}

/**
 * The length of a raw public key in bytes. In both algorithms it is at the end of the SubjectPublicKeyInfo
 * (RFC 5280).
 */
const RAW_KEY_BYTES: Record<KeyAlgorithm, number> = { Ed25519: 32, 'ML-DSA-44': 1312 };

/** Generates a key pair in memory. */
export function generateKeyPair(algorithm: KeyAlgorithm): KeyPair {
  const { privateKey } =
    algorithm === 'Ed25519' ? generateKeyPairSync('ed25519') : generateKeyPairSync('ml-dsa-44');
  return keyPair(algorithm, privateKey);
}

/**
 * Writes the private key to `directory` as `<kid>.pem` (PKCS #8 PEM, mode 0600) and syncs it to disk. @throws
 * Failure
 */
export function saveKeyPair(directory: string, { kid, privateKey }: KeyPair): void {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  writeSecretFile(keyFile(directory, kid), privateKey.export({ type: 'pkcs8', format: 'pem' }).toString());
}

/**
 * Reads the private key that the database names.
 * @param wayBack the hint for a lost key: how to restore it
 * @throws KeyFileError when the file is missing, readable by other users, damaged, or contains another key
 */
export function loadKeyPair(
  directory: string,
  algorithm: KeyAlgorithm,
  kid: string,
  wayBack = 'restore it from a backup with countersign keys restore',
): KeyPair {
  const file = keyFile(directory, kid);
  if (!existsSync(file)) throw new KeyFileError(`the signing key ${file} is missing`, wayBack);
  if ((statSync(file).mode & 0o077) !== 0) {
    throw new KeyFileError(`the signing key ${file} can be read by other users`, `chmod 600 ${file}`);
  }
  const pair = readKeyPair(readText(file));
  if (pair?.kid === kid && pair.algorithm === algorithm) return pair;
  throw new KeyFileError(
    `the signing key ${file} is ${pair === null ? 'damaged' : 'not the key that its name says'}`,
    wayBack,
  );
}

/** Returns whether the directory has the file of a key. */
export function hasKeyFile(directory: string, kid: string): boolean {
  return existsSync(keyFile(directory, kid));
}

/**
 * Returns the key pair of a private key in PEM; null for an invalid key or another algorithm. Discards the
 * parser's error, whose message could quote the key.
 */
export function readKeyPair(pem: string): KeyPair | null {
  let privateKey: KeyObject;
  try {
    privateKey = createPrivateKey(pem);
  } catch {
    return null;
  }
  const algorithm = ALGORITHMS[privateKey.asymmetricKeyType ?? ''];
  return algorithm === undefined ? null : keyPair(algorithm, privateKey);
}

/** The algorithms by the names in the runtime. */
const ALGORITHMS: Record<string, KeyAlgorithm> = { ed25519: 'Ed25519', 'ml-dsa-44': 'ML-DSA-44' };

function keyFile(directory: string, kid: string): string {
  return join(directory, `${kid}.pem`);
}

function keyPair(algorithm: KeyAlgorithm, privateKey: KeyObject): KeyPair {
  const spki = createPublicKey(privateKey).export({ type: 'spki', format: 'der' });
  const raw = spki.subarray(spki.length - RAW_KEY_BYTES[algorithm]);
  const kid = thumbprintOf(nativePrimitives, algorithm, raw);
  return { kid, algorithm, publicKey: bytesToHex(raw), privateKey };
}
