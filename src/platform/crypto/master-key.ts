import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from '../failure.ts';
import { readText } from '../files/read.ts';
import { writeSecretFile } from '../files/write.ts';

const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** The format version: the first byte of encrypted text. */
const VERSION = Buffer.of(1);
const HEX_KEY = /^[0-9a-f]{64}\n$/;

const MASTER_KEY_FILE = 'master.key';

/** Returns whether `text` is a master key and `name` is the name of its file. */
export function isMasterKey(name: string, text: string): boolean {
  return name === MASTER_KEY_FILE && HEX_KEY.test(text);
}

/** Encrypts secrets in a database, so that neither the database nor its backups reveal them. */
export interface MasterKey {
  /**
   * Encrypts a secret for one column of a row in the database (AES-256-GCM, NIST SP 800-38D).
   * @param context table, row and column (the additional data); the secret cannot be decrypted with another
   * context
   * @returns lower-case hexadecimal of version, nonce, ciphertext and tag
   */
  encrypt(context: string, secret: string): string;
  /**
   * Decrypts the result of `encrypt`. @throws Failure for another key, another context, or a modified text
   */
  decrypt(context: string, encrypted: string): string;
  /**
   * Returns a secret that is not stored: 64 lower-case hexadecimal characters that follow from the key and
   * `purpose` (HKDF-SHA256, RFC 5869). It says nothing about the key or about other secrets.
   */
  derive(purpose: string): string;
}

/**
 * Opens the master key of a data directory: `keys/master.key`, 64 hexadecimal characters, mode 0600, outside
 * the database and its backups. The first `encrypt` or `derive` creates a missing key.
 *
 * @param inUse whether the database has secrets that were encrypted with this key
 * @throws Failure when the file is missing though in use, damaged, or readable by other users
 */
export function openMasterKey(directory: string, inUse: boolean): MasterKey {
  const keys = join(directory, 'keys');
  const file = join(keys, MASTER_KEY_FILE);
  let key = existsSync(file) ? readKey(file) : null;
  if (key === null && inUse) {
    throw new Failure(
      `the master key ${file} is missing`,
      'restore it from a backup with countersign keys restore; without it, the secrets in the database cannot be decrypted',
    );
  }
  return {
    derive(purpose) {
      key ??= makeKey(keys, file);
      return Buffer.from(hkdfSync('sha256', key, '', `countersign ${purpose}`, KEY_BYTES)).toString('hex');
    },
    encrypt(context, secret) {
      key ??= makeKey(keys, file);
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context, 'utf8'));
      const ciphertext = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
      return Buffer.concat([VERSION, nonce, ciphertext, cipher.getAuthTag()]).toString('hex');
    },
    decrypt(context, encrypted) {
      const secret = key === null ? null : decryptOrNull(key, context, Buffer.from(encrypted, 'hex'));
      if (secret !== null) return secret;
      throw new Failure(
        `a secret in the database (${context}) cannot be decrypted`,
        `${file} is of another database: move it away, and restore the right one with countersign keys restore`,
      );
    },
  };
}

/**
 * Creates the master key of a data directory if it has none. A start calls this before it encrypts a secret,
 * so that a backup of the keys after the first start contains the master key.
 */
export function makeMasterKey(directory: string): void {
  const keys = join(directory, 'keys');
  const file = join(keys, MASTER_KEY_FILE);
  if (!existsSync(file)) makeKey(keys, file);
}

/** Returns whether a data directory has its master key. */
export function hasMasterKey(directory: string): boolean {
  return existsSync(join(directory, 'keys', MASTER_KEY_FILE));
}

function decryptOrNull(key: Uint8Array, context: string, encrypted: Buffer): string | null {
  const start = VERSION.length + NONCE_BYTES;
  if (encrypted.length < start + TAG_BYTES || encrypted[0] !== VERSION[0]) return null;
  const nonce = encrypted.subarray(VERSION.length, start);
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES })
    .setAAD(Buffer.from(context, 'utf8'))
    .setAuthTag(encrypted.subarray(-TAG_BYTES));
  try {
    return decipher.update(encrypted.subarray(start, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
  } catch {
    return null;
  }
}

function makeKey(keys: string, file: string): Uint8Array {
  const key = randomBytes(KEY_BYTES);
  mkdirSync(keys, { recursive: true, mode: 0o700 });
  writeSecretFile(file, `${key.toString('hex')}\n`);
  return key;
}

function readKey(file: string): Uint8Array {
  if ((statSync(file).mode & 0o077) !== 0) {
    throw new Failure(`the master key ${file} can be read by other users`, `chmod 600 ${file}`);
  }
  const text = readText(file);
  if (!HEX_KEY.test(text))
    throw new Failure(
      `the master key ${file} is damaged`,
      'restore it from a backup with countersign keys restore',
    );
  return Buffer.from(text.trim(), 'hex');
}
