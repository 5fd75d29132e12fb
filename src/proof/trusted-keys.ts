import { isStrictPublicKey } from './ed25519.ts';
import { hexToBytes, isHex } from './hex.ts';
import { isJsonObject, type JsonObject, type JsonValue } from './json.ts';
import { kidOf } from './kid.ts';
import type { Primitives } from './primitives.ts';
import { parseTimestamp } from './timestamp.ts';

export type KeyStatus = 'next' | 'active' | 'retired' | 'compromised';

/** A published Ed25519 verifying key that the reader has chosen to trust. */
export interface TrustedKey {
  kid: string;
  /** 64 lower-case hexadecimal characters. */
  public_key: string;
  purpose: string;
  status: KeyStatus;
  valid_from: string;
  valid_until: string | null;
}

/** A document that should hold verifying keys and does not. */
export class TrustedKeysError extends Error {
  override readonly name = 'TrustedKeysError';
}

/**
 * Reads the keys of a saved `GET /api/v1/transparency/keys` or `GET /api/v1/public-key` answer. Every kid is computed
 * anew (RFC 7638) and must match; keys of other algorithms than Ed25519 are passed over.
 *
 * @throws TrustedKeysError
 */
export function readTrustedKeys(primitives: Primitives, document: JsonValue): TrustedKey[] {
  if (!isJsonObject(document)) throw new TrustedKeysError('the key document is no JSON object');
  const rows = Array.isArray(document.keys) ? document.keys : publicKeyRows(document);
  const keys = rows
    .map((row) => (isJsonObject(row) ? row : fail('a key is no JSON object')))
    .filter((row) => row.algorithm === 'Ed25519')
    .map((row) => readKey(primitives, row));
  if (keys.length === 0) throw new TrustedKeysError('the key document holds no Ed25519 key');
  return keys;
}

/** The one current key of a `public-key` answer, then its previous ones, in the form of the other document's rows. */
function publicKeyRows(document: JsonObject): JsonValue[] {
  const { algorithm = null, purpose = null, rotation } = document;
  const previous = isJsonObject(rotation) && Array.isArray(rotation.previous) ? rotation.previous : [];
  const current: JsonObject = { ...document, status: 'active', valid_until: null };
  const retired = previous.map((row): JsonValue => {
    return isJsonObject(row) ? { algorithm, purpose, status: 'retired', ...row } : row;
  });
  return [current, ...retired];
}

function readKey(primitives: Primitives, row: JsonObject): TrustedKey {
  const { kid, public_key, purpose, status, valid_from, valid_until } = row;
  if (typeof public_key !== 'string' || !isHex(public_key, 32))
    return fail('a public_key is not 64 hex characters');
  if (!isStrictPublicKey(hexToBytes(public_key))) return fail(`${public_key} is no safe Ed25519 public key`);
  if (kid !== kidOf(primitives, hexToBytes(public_key)))
    return fail(`kid ${kid} is not that of its public_key`);
  if (typeof purpose !== 'string') return fail(`key ${kid} has no purpose`);
  if (status !== 'next' && status !== 'active' && status !== 'retired' && status !== 'compromised') {
    return fail(`key ${kid} has no known status`);
  }
  if (!isTimestamp(valid_from)) return fail(`valid_from of key ${kid} is no timestamp`);
  if (valid_until !== null && !isTimestamp(valid_until))
    return fail(`valid_until of key ${kid} is no timestamp`);
  return { kid, public_key, purpose, status, valid_from, valid_until };
}

function isTimestamp(value: JsonValue | undefined): value is string {
  return typeof value === 'string' && parseTimestamp(value) !== null;
}

function fail(message: string): never {
  throw new TrustedKeysError(message);
}
