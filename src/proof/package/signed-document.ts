import { CanonicalJsonError } from '../encoding/canonical-json.ts';
import { hexToBytes } from '../encoding/hex.ts';
import {
  isJsonObject,
  JsonError,
  type JsonObject,
  type JsonValue,
  parseJsonBytes,
} from '../encoding/json.ts';
import { parseTimestamp } from '../encoding/timestamp.ts';
import { didKey } from '../keys/did-key.ts';
import { verifyStrict } from '../keys/ed25519.ts';
import { endOfKey, type TrustedKey } from '../keys/trusted-keys.ts';
import type { Primitives } from '../primitives.ts';
import { contentDigest } from './format.ts';

/**
 * The members by which the service signs a package or a scorecard: content_hash is the digest of all other
 * members but signature and kid.
 */
export interface SignedDocument {
  issuer: string;
  generated_at: string;
  content_hash: string;
  signature: string;
  kid: string;
}

export interface KeyChecks {
  /** The signature over content_hash by the key that `kid` names. */
  signature: 'ok' | 'bad' | 'unchecked';
  key: 'trusted' | 'retired' | 'compromised' | 'unknown' | 'unchecked';
}

const toUtf8 = new TextEncoder();

/**
 * Reads a signed document and computes the digest of its content, which content_hash must be.
 * @param shapeOf reads the parsed document, or says what is wrong with it
 * @param digestOf computes the digest; `contentDigest` by default
 * @returns what was read, with the digest; the problems of a malformed document
 */
export function openDocument<Read>(
  primitives: Primitives,
  bytes: Uint8Array,
  shapeOf: (document: JsonValue) => { read: Read } | { problems: string[] },
  digestOf: (primitives: Primitives, object: JsonObject) => string = contentDigest,
): { read: Read; hash: string } | { problems: string[] } {
  let document: JsonValue;
  try {
    document = parseJsonBytes(bytes);
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    return { problems: [error.message] };
  }
  const shape = shapeOf(document);
  if ('problems' in shape) return shape;
  const hash = isJsonObject(document) ? hashOf(() => digestOf(primitives, document)) : null;
  if (hash === null) {
    return {
      problems: ['it has a number that is too large, or half of a surrogate pair, so it cannot be signed'],
    };
  }
  return { read: shape.read, hash };
}

/** Returns the digest of a document; null if it has no canonical form. */
function hashOf(digest: () => string): string | null {
  try {
    return digest();
  } catch (error) {
    if (!(error instanceof CanonicalJsonError)) throw error;
    return null;
  }
}

/**
 * Returns the keys that a document names. Lists from two sources can contain a key twice; `compromised` in
 * one of them must win.
 */
export function namedKeys(
  keys: readonly TrustedKey[],
  { kid }: Pick<SignedDocument, 'kid'>,
): readonly TrustedKey[] {
  return keys.filter((key) => key.purpose === 'credentials' && key.kid === kid);
}

/**
 * Checks the signature over content_hash, and whether the key that `kid` names counts at the date of the
 * document.
 */
export function checkKey(
  primitives: Primitives,
  { content_hash, signature, generated_at }: Omit<SignedDocument, 'issuer' | 'kid'>,
  named: readonly TrustedKey[],
): KeyChecks {
  const [first] = named;
  if (first === undefined) return { signature: 'unchecked', key: 'unknown' };
  const publicKey = hexToBytes(first.public_key);
  const isSigned = verifyStrict(primitives, hexToBytes(signature), toUtf8.encode(content_hash), publicKey);
  const isStolen = named.some(({ status }) => status === 'compromised');
  const dated = parseTimestamp(generated_at) ?? Number.POSITIVE_INFINITY;
  const isLate = named.some((key) => dated > endOfKey(key));
  return {
    signature: isSigned ? 'ok' : 'bad',
    key: isStolen ? 'compromised' : isLate ? 'retired' : 'trusted',
  };
}

/** Returns one sentence for each problem of the key and the signature. */
export function keyProblems({ signature, key }: KeyChecks): string[] {
  const problems = {
    unknown: ['kid names none of the trusted keys for credentials'],
    compromised: ['kid names a key that has been reported as compromised'],
    retired: ['generated_at is after the end of the key that kid names'],
    trusted: [],
    unchecked: [],
  }[key];
  return signature === 'bad'
    ? ['signature is not by the key that kid names over content_hash', ...problems]
    : problems;
}

/** An issuer that is a did:key must be the key that signed; a did:web is another name of the service. */
export function issuerProblems(
  { issuer }: Pick<SignedDocument, 'issuer'>,
  named: readonly TrustedKey[],
): string[] {
  if (!issuer.startsWith('did:key:')) return [];
  return named.every(({ public_key }) => didKey(hexToBytes(public_key)) === issuer)
    ? []
    : ['issuer is not the did:key of the key that kid names'];
}
