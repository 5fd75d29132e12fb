import { hexToBytes, isHex } from '../encoding/hex.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../encoding/json.ts';
import { parseTimestamp } from '../encoding/timestamp.ts';
import type { Primitives } from '../primitives.ts';
import { isStrictPublicKey } from './ed25519.ts';
import { kidOf } from './kid.ts';

export const KEY_STATUSES = ['next', 'active', 'retired', 'compromised'] as const;
export type KeyStatus = (typeof KEY_STATUSES)[number];

/** A published Ed25519 public key that the verifier trusts. */
export interface TrustedKey {
  /** RFC 7638 thumbprint of the key. */
  kid: string;
  /** 64 lower-case hexadecimal characters. */
  public_key: string;
  /** What the key signs: `receipts`, `credentials`, or `<name>-log` for the checkpoints of a log. */
  purpose: string;
  status: KeyStatus;
  /** RFC 3339. */
  valid_from: string;
  /** RFC 3339; null while the key has no end date. */
  valid_until: string | null;
  /**
   * The origins of the receipts log in which the end of the key is recorded; empty before its end, or when
   * the document omits it.
   */
  receipts_logs: string[];
  /**
   * The size of that log at the key's end: leaves from this index on were not signed by the key. Null for
   * none.
   */
  receipts_tree_size: number | null;
}

/**
 * Returns the Unix time in milliseconds after which a key signs no new statements; infinity while it has no
 * end. An unknown or invalid end counts as past.
 */
export function endOfKey({ status, valid_until }: Pick<TrustedKey, 'status' | 'valid_until'>): number {
  if (valid_until !== null) return parseTimestamp(valid_until) ?? Number.NEGATIVE_INFINITY;
  return status === 'retired' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
}

/** Reports a document that is not a list of public keys. */
export class TrustedKeysError extends Error {
  override readonly name = 'TrustedKeysError';
}

/**
 * Reads the keys of a saved response to `GET /api/v1/transparency/keys` or `GET /api/v1/public-key`. Every
 * kid must match its recomputed thumbprint (RFC 7638), and every key must have the strict form. Keys of other
 * algorithms than Ed25519 and unknown members are ignored, because both documents may get additions within
 * v1. `receipts_tree_size` is null in documents without it. A `public-key` response has only the name of its
 * next key; its previous keys count as retired. A compromised key is returned once more as a key for receipts
 * or credentials if its public key is one too.
 *
 * @throws TrustedKeysError
 */
export function readTrustedKeys(primitives: Primitives, value: JsonValue): TrustedKey[] {
  const keys = keyRows(value, 'Ed25519').map((row) => readKey(primitives, row));
  return [...keys, ...compromisedElsewhere(keys)];
}

/**
 * The purposes of keys that sign statements. The keys of logs are compared with all rows where they are read.
 */
const STATEMENT_PURPOSES = ['receipts', 'credentials'];

/**
 * Returns the compromised keys, each with every other of these purposes that its public key has: a thief can
 * use it for all.
 */
function compromisedElsewhere(keys: readonly TrustedKey[]): TrustedKey[] {
  const listed = new Set(keys.map(({ purpose, public_key }) => `${purpose} ${public_key}`));
  return keys
    .filter(({ status }) => status === 'compromised')
    .flatMap((key) =>
      STATEMENT_PURPOSES.filter(
        (purpose) => purpose !== key.purpose && listed.has(`${purpose} ${key.public_key}`),
      ).map((purpose) => ({ ...key, purpose })),
    );
}

/**
 * Returns the rows of one algorithm in a document for `readTrustedKeys`, without checking their other
 * members. @throws TrustedKeysError
 */
export function keyRows(value: JsonValue, algorithm: string): JsonObject[] {
  if (!isJsonObject(value)) return fail('the document is not a JSON object');
  const rows = value.keys === undefined ? publicKeyRows(value) : arrayIn(value, 'keys');
  return rows
    .map((row) => (isJsonObject(row) ? row : fail('a key is not a JSON object')))
    .filter((row) => textIn(row, 'algorithm') === algorithm);
}

/**
 * Converts the current and the previous keys of a `public-key` response into rows of a `transparency/keys`
 * response.
 */
function publicKeyRows(document: JsonObject): JsonValue[] {
  if (document.public_key === undefined) return fail('it has no member keys, so it is no list of keys');
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
  return {
    kid,
    public_key,
    purpose: textIn(row, 'purpose'),
    ...readTerm(row),
    valid_from: timestampIn(row, 'valid_from'),
    receipts_logs: textsIn(row, 'receipts_logs'),
    receipts_tree_size: sizeIn(row, 'receipts_tree_size'),
  };
}

/** Reads a key's status and end date. @throws TrustedKeysError */
export function readTerm(row: JsonObject): Pick<TrustedKey, 'status' | 'valid_until'> {
  const kid = textIn(row, 'kid');
  const status = KEY_STATUSES.find((known) => known === row.status);
  if (status === undefined) return fail(`status of key ${kid} is not one of ${KEY_STATUSES.join(', ')}`);
  const valid_until = row.valid_until === null ? null : timestampIn(row, 'valid_until');
  if (status === 'retired' && valid_until === null)
    return fail(`key ${kid} is retired and has no valid_until`);
  return { status, valid_until };
}

function sizeIn(row: JsonObject, member: string): number | null {
  const size = row[member] ?? null;
  if (size === null || (typeof size === 'number' && Number.isSafeInteger(size) && size >= 0)) return size;
  return fail(`${member} is not a whole number from 0 to 2^53 − 1`);
}

/** Reads an array of strings; empty when the member is missing, as in documents of older versions. */
function textsIn(row: JsonObject, member: string): string[] {
  const items = row[member] ?? [];
  const isText = (item: JsonValue): item is string => typeof item === 'string';
  if (Array.isArray(items) && items.every(isText)) return items;
  return fail(`${member} is not an array of strings`);
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
