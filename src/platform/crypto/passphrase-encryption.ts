import { createCipheriv, createDecipheriv, randomBytes, scryptSync } from 'node:crypto';
import { type Static, type TSchema, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { canonicalJson } from '../../proof/encoding/canonical-json.ts';
import { type JsonObject, type JsonValue, parseJson } from '../../proof/encoding/json.ts';
import { Failure } from '../failure.ts';

/** scrypt (RFC 7914) with 128 MiB of memory: each guess takes about 0.4 s. */
const KDF = { name: 'scrypt', N: 2 ** 17, r: 8, p: 1 } as const;
const SCRYPT_MEMORY = 256 * 2 ** 20;
const KEY_BYTES = 32;
const SALT_BYTES = 16;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** The minimum length of a passphrase for a new document, in characters. */
const MIN_PASSPHRASE = 12;

const hex = (bytes: number) => Type.String({ pattern: `^[0-9a-f]{${bytes * 2}}$` });
const EncryptedDocument = Type.Object({
  format: Type.String(),
  version: Type.Literal(1),
  kdf: Type.Object({
    name: Type.Literal(KDF.name),
    N: Type.Literal(KDF.N),
    r: Type.Literal(KDF.r),
    p: Type.Literal(KDF.p),
    salt: hex(SALT_BYTES),
  }),
  cipher: Type.Object({ name: Type.Literal('AES-256-GCM'), nonce: hex(NONCE_BYTES) }),
  ciphertext: Type.String({ pattern: '^(?:[0-9a-f]{2})*$' }),
  tag: hex(TAG_BYTES),
});
type Header = Omit<Static<typeof EncryptedDocument>, 'ciphertext' | 'tag'>;

/**
 * Encrypts a document with a passphrase: AES-256-GCM (NIST SP 800-38D) under a key from scrypt. Also
 * authenticates the header, which is not encrypted.
 * @returns JSON text @throws Failure for a passphrase of fewer than 12 characters
 */
export function encryptDocument(format: string, document: JsonValue, passphrase: string): string {
  if ([...passphrase].length < MIN_PASSPHRASE) {
    throw new Failure(
      `a passphrase has at least ${MIN_PASSPHRASE} characters`,
      'use at least four random words',
    );
  }
  const salt = randomBytes(SALT_BYTES);
  const nonce = randomBytes(NONCE_BYTES);
  const header: Header = {
    format,
    version: 1,
    kdf: { ...KDF, salt: salt.toString('hex') },
    cipher: { name: 'AES-256-GCM', nonce: nonce.toString('hex') },
  };
  const cipher = createCipheriv('aes-256-gcm', deriveKey(passphrase, salt), nonce);
  cipher.setAAD(additionalData(header));
  const ciphertext = Buffer.concat([cipher.update(JSON.stringify(document), 'utf8'), cipher.final()]);
  const encrypted = {
    ...header,
    ciphertext: ciphertext.toString('hex'),
    tag: cipher.getAuthTag().toString('hex'),
  };
  return `${JSON.stringify(encrypted)}\n`;
}

/**
 * Decrypts the result of `encryptDocument`. @throws Failure for text in another format, a wrong passphrase,
 * or a modified text
 */
export function decryptDocument<Schema extends TSchema>(
  format: string,
  schema: Schema,
  text: string,
  passphrase: string,
): Static<Schema> {
  const encrypted = parseOrNull(text);
  if (!Value.Check(EncryptedDocument, encrypted) || encrypted.format !== format) {
    throw new Failure(
      `the file is not a ${format}, is incomplete, or its version is not supported`,
      'use another copy of the file',
    );
  }
  const { ciphertext, tag, ...header } = encrypted;
  const key = deriveKey(passphrase, Buffer.from(header.kdf.salt, 'hex'));
  const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(header.cipher.nonce, 'hex'), {
    authTagLength: TAG_BYTES,
  });
  decipher.setAAD(additionalData(header));
  decipher.setAuthTag(Buffer.from(tag, 'hex'));
  let plain: string;
  try {
    plain = Buffer.concat([decipher.update(Buffer.from(ciphertext, 'hex')), decipher.final()]).toString(
      'utf8',
    );
  } catch {
    throw new Failure(
      'the passphrase is wrong, or the file was changed',
      'enter the passphrase of this file, or use another copy of the file',
    );
  }
  const document = parseOrNull(plain);
  if (!Value.Check(schema, document))
    throw new Failure(
      `the file is not a ${format}, or its version is not supported`,
      'use another copy of the file',
    );
  return document;
}

function deriveKey(passphrase: string, salt: Uint8Array): Buffer {
  const { N, r, p } = KDF;
  // Another system may encode the same passphrase with other code points.
  return scryptSync(passphrase.normalize('NFC'), salt, KEY_BYTES, { N, r, p, maxmem: SCRYPT_MEMORY });
}

function additionalData(header: Header): Buffer {
  const plain: JsonObject = { ...header, kdf: { ...header.kdf }, cipher: { ...header.cipher } };
  return Buffer.from(canonicalJson(plain), 'utf8');
}

function parseOrNull(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return null;
  }
}
