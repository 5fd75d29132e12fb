import { isStrictPublicKey } from './ed25519.ts';
import { hexToBytes, isHex } from './hex.ts';
import { isJsonObject, type JsonObject, type JsonValue } from './json.ts';
import { kidOf } from './kid.ts';
import type { Primitives } from './primitives.ts';
import { parseTimestamp } from './timestamp.ts';

const KEY_STATUSES = ['next', 'active', 'retired', 'compromised'] as const;
export type KeyStatus = (typeof KEY_STATUSES)[number];

/** A published Ed25519 verifying key that the reader has chosen to trust. */
export interface TrustedKey {
  /** RFC 7638 thumbprint of the key. */
  kid: string;
  /** 64 lower-case hexadecimal characters. */
  public_key: string;
  /** What it signs: `receipts`, `log`, `credentials`. */
  purpose: string;
  status: KeyStatus;
  /** RFC 3339. */
  valid_from: string;
  /** RFC 3339; null while the key has no end. */
  valid_until: string | null;
}

/** A document that should hold verifying keys and does not. */
export class TrustedKeysError extends Error {
  override readonly name = 'TrustedKeysError';
}

/**
 * Reads the keys of a saved `GET /api/v1/transparency/keys` or `GET /api/v1/public-key` answer. Every kid is computed
 * anew (RFC 7638) and has to match, every key has to be a strict one. Keys of other algorithms than Ed25519 are passed
 * over, and so are members that this version does not know: both documents grow within v1. The next key of a
 * `public-key` answer is only named there, and its previous keys count as retired.
 *
 * @throws TrustedKeysError
 */
export function readTrustedKeys(primitives: Primitives, value: JsonValue): TrustedKey[] {
  if (!isJsonObject(value)) return fail('a key document is a JSON object');
  const keys: TrustedKey[] = [];
  for (const row of value.keys === undefined ? publicKeyRows(value) : arrayIn(value, 'keys')) {
    if (!isJsonObject(row)) return fail('a key is a JSON object');
    if (textIn(row, 'algorithm') === 'Ed25519') keys.push(readKey(primitives, row));
  }
  return keys;
}

/** The current key of a `public-key` answer and its previous ones, as rows of the other document. */
function publicKeyRows(document: JsonObject): JsonValue[] {
  const algorithm = textIn(document, 'algorithm');
  const purpose = textIn(document, 'purpose');
  const current = { ...document, status: 'active', valid_until: null };
  if (!isJsonObject(document.rotation)) return fail('rotation is not a JSON object');
  const previous = arrayIn(document.rotation, 'previous').map((row) =>
    isJsonObject(row) ? { ...row, algorithm, purpose, status: 'retired' } : row,
  );
  return [current, ...previous];
}

function readKey(primitives: Primitives, row: JsonObject): TrustedKey {
  const kid = textIn(row, 'kid');
  const public_key = textIn(row, 'public_key');
  if (!isHex(public_key, 32))
    return fail(`public_key of key ${kid} is not 64 lower-case hexadecimal characters`);
  const bytes = hexToBytes(public_key);
  if (!isStrictPublicKey(bytes)) return fail(`public_key of key ${kid} is not a canonical key of full order`);
  if (kid !== kidOf(primitives, bytes)) return fail(`kid ${kid} is not the thumbprint of its public_key`);
  const status = KEY_STATUSES.find((known) => known === row.status);
  if (status === undefined) return fail(`status of key ${kid} is not one of ${KEY_STATUSES.join(', ')}`);
  const valid_until = row.valid_until === null ? null : timestampIn(row, 'valid_until');
  if (status === 'retired' && valid_until === null)
    return fail(`key ${kid} is retired and has no valid_until`);
  return {
    kid,
    public_key,
    purpose: textIn(row, 'purpose'),
    status,
    valid_from: timestampIn(row, 'valid_from'),
    valid_until,
  };
}

function timestampIn(row: JsonObject, member: string): string {
  const text = textIn(row, member);
  return parseTimestamp(text) === null ? fail(`${member} is not an RFC 3339 date and time`) : text;
}

function textIn(row: JsonObject, member: string): string {
  const text = row[member];
  return typeof text === 'string' ? text : fail(`${member} is missing or not a string`);
}

function arrayIn(row: JsonObject, member: string): JsonValue[] {
  const items = row[member];
  return Array.isArray(items) ? items : fail(`${member} is missing or not an array`);
}

function fail(message: string): never {
  throw new TrustedKeysError(message);
}
