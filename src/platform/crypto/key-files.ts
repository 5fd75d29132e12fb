import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { existsSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { base64urlnopad } from '@scure/base';
import { bytesToHex } from '../../proof/encoding/hex.ts';
import { kidOf } from '../../proof/keys/kid.ts';
import { readText } from '../files/read.ts';
import { writeSecretFile } from '../files/write.ts';
import { nativePrimitives, sha256Hex } from './crypto.ts';

export type KeyAlgorithm = 'Ed25519' | 'ML-DSA-44';

/** The keys directory does not hold what it must; the hint says what to do. */
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

/** Bytes of a SubjectPublicKeyInfo (RFC 5280) before the raw key, for both algorithms' fixed headers. */
const RAW_KEY_BYTES: Record<KeyAlgorithm, number> = { Ed25519: 32, 'ML-DSA-44': 1312 };

/** Makes a key pair in memory. */
export function generateKeyPair(algorithm: KeyAlgorithm): KeyPair {
  const { privateKey } =
    algorithm === 'Ed25519' ? generateKeyPairSync('ed25519') : generateKeyPairSync('ml-dsa-44');
  return keyPair(algorithm, privateKey);
}

/** Writes the private key into `directory` under its kid, as PKCS #8 PEM, mode 0600, durably. */
export function saveKeyPair(directory: string, { kid, privateKey }: KeyPair): void {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  writeSecretFile(keyFile(directory, kid), privateKey.export({ type: 'pkcs8', format: 'pem' }).toString());
}

/**
 * Reads back the private key that the database names. `wayBack`: how whoever has lost it gets it back.
 * @throws KeyFileError when it is absent, open or another.
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
    throw new KeyFileError(`the signing key ${file} can be read by others`, `chmod 600 ${file}`);
  }
  const pair = readKeyPair(readText(file));
  if (pair?.kid === kid && pair.algorithm === algorithm) return pair;
  throw new KeyFileError(
    `the signing key ${file} is ${pair === null ? 'damaged' : 'not the key that its name says'}`,
    wayBack,
  );
}

/** Whether the directory has a file for a key. */
export function hasKeyFile(directory: string, kid: string): boolean {
  return existsSync(keyFile(directory, kid));
}

/**
 * The key pair of a private key in PEM; null when there is none to be read in it, or one of another algorithm. The
 * parser's own words could quote the text.
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

/** By the runtime's names. */
const ALGORITHMS: Record<string, KeyAlgorithm> = { ed25519: 'Ed25519', 'ml-dsa-44': 'ML-DSA-44' };

function keyFile(directory: string, kid: string): string {
  return join(directory, `${kid}.pem`);
}

function keyPair(algorithm: KeyAlgorithm, privateKey: KeyObject): KeyPair {
  const spki = createPublicKey(privateKey).export({ type: 'spki', format: 'der' });
  const raw = spki.subarray(spki.length - RAW_KEY_BYTES[algorithm]);
  const kid = thumbprintOf(algorithm, raw);
  return { kid, algorithm, publicKey: bytesToHex(raw), privateKey };
}

/** The RFC 7638 thumbprint of a raw public key. */
export function thumbprintOf(algorithm: KeyAlgorithm, raw: Uint8Array): string {
  return algorithm === 'Ed25519' ? kidOf(nativePrimitives, raw) : akpThumbprint(raw);
}

/** RFC 7638 thumbprint of an ML-DSA key as JWK of type AKP. */
function akpThumbprint(raw: Uint8Array): string {
  const members = JSON.stringify({ alg: 'ML-DSA-44', kty: 'AKP', pub: base64urlnopad.encode(raw) });
  return base64urlnopad.encode(Buffer.from(sha256Hex(members), 'hex'));
}
