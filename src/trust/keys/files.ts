import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { base64urlnopad } from '@scure/base';
import { nativePrimitives, sha256Hex } from '../../platform/crypto.ts';
import { writeSecretFile } from '../../platform/secrets.ts';
import { bytesToHex } from '../../proof/hex.ts';
import { kidOf } from '../../proof/kid.ts';
import type { KeyAlgorithm } from './store.ts';

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

/** Reads back the private key that the database names. @throws KeyFileError when it is absent, open or another. */
export function loadKeyPair(directory: string, algorithm: KeyAlgorithm, kid: string): KeyPair {
  const file = keyFile(directory, kid);
  if (!existsSync(file)) {
    throw new KeyFileError(
      `the signing key ${file} is missing`,
      'restore the keys directory from its backup',
    );
  }
  if ((statSync(file).mode & 0o077) !== 0) {
    throw new KeyFileError(`the signing key ${file} can be read by others`, `chmod 600 ${file}`);
  }
  const privateKey = readPrivateKey(file);
  const pair = privateKey === null ? null : keyPair(algorithm, privateKey);
  if (pair?.kid === kid) return pair;
  throw new KeyFileError(
    `the signing key ${file} is ${pair === null ? 'damaged' : 'another than its name says'}`,
    'restore the keys directory from its backup',
  );
}

/** The key of a PEM file, or null when there is none to be read in it. The parser's own words could quote the file. */
function readPrivateKey(file: string): KeyObject | null {
  const pem = readFileSync(file, 'utf8');
  try {
    return createPrivateKey(pem);
  } catch {
    return null;
  }
}

function keyFile(directory: string, kid: string): string {
  return join(directory, `${kid}.pem`);
}

function keyPair(algorithm: KeyAlgorithm, privateKey: KeyObject): KeyPair {
  const spki = createPublicKey(privateKey).export({ type: 'spki', format: 'der' });
  const raw = spki.subarray(spki.length - RAW_KEY_BYTES[algorithm]);
  const kid = algorithm === 'Ed25519' ? kidOf(nativePrimitives, raw) : akpThumbprint(raw);
  return { kid, publicKey: bytesToHex(raw), privateKey };
}

/** RFC 7638 thumbprint of an ML-DSA key as JWK of type AKP. */
function akpThumbprint(raw: Uint8Array): string {
  const members = JSON.stringify({ alg: 'ML-DSA-44', kty: 'AKP', pub: base64urlnopad.encode(raw) });
  return base64urlnopad.encode(Buffer.from(sha256Hex(members), 'hex'));
}
