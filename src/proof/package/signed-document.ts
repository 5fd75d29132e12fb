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
import { signedObjectDigest } from '../keys/signed-object.ts';
import { endOfKey, type TrustedKey } from '../keys/trusted-keys.ts';
import type { Primitives } from '../primitives.ts';

/** The members of a package or a scorecard that say who signed it and when. */
export interface SignedDocument {
  issuer: string;
  generated_at: string;
  signature: string;
  kid: string;
}

/** What the signature of a document covers. */
export interface SignedContent {
  /** `signedObjectDigest` of the content. */
  digest: string;
  /** Compares `content_hash` with the digest; absent for a document without it. */
  hash?: 'ok' | 'mismatch';
}

export interface KeyChecks {
  /** The signature over the digest by the key that `kid` names. */
  signature: 'ok' | 'bad' | 'unchecked';
  key: 'trusted' | 'retired' | 'compromised' | 'unknown' | 'unchecked';
}

const toUtf8 = new TextEncoder();

/**
 * Returns the content of a meter receipt, a package or a scorecard. Earlier versions gave them a
 * `content_hash`, which is no part of what they signed and must be its digest.
 * @throws CanonicalJsonError
 */
export function contentOf(primitives: Primitives, document: JsonObject): SignedContent {
  const { content_hash, ...content } = document;
  const digest = signedObjectDigest(primitives, content);
  if (content_hash === undefined) return { digest };
  return { digest, hash: content_hash === digest ? 'ok' : 'mismatch' };
}

/**
 * Reads a signed document and computes the digest of its content.
 * @param shapeOf reads the parsed document, or says what is wrong with it
 * @returns what was read, with the content; the problems of a malformed document
 */
export function openDocument<Read>(
  primitives: Primitives,
  bytes: Uint8Array,
  shapeOf: (document: JsonValue) => { read: Read } | { problems: string[] },
  signedContent: (primitives: Primitives, object: JsonObject) => SignedContent = contentOf,
): { read: Read; content: SignedContent } | { problems: string[] } {
  let document: JsonValue;
  try {
    document = parseJsonBytes(bytes);
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    return { problems: [error.message] };
  }
  const shape = shapeOf(document);
  if ('problems' in shape) return shape;
  const content = isJsonObject(document) ? canonical(() => signedContent(primitives, document)) : null;
  if (content === null) {
    return {
      problems: ['it has a number that is too large, or half of a surrogate pair, so it cannot be signed'],
    };
  }
  return { read: shape.read, content };
}

/** Returns what is computed of a document; null if it has no canonical form. */
function canonical<Computed>(compute: () => Computed): Computed | null {
  try {
    return compute();
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
 * Checks the signature over a digest, and whether the key that `kid` names counts at the date of the
 * document.
 */
export function checkKey(
  primitives: Primitives,
  { digest, signature, generated_at }: { digest: string; signature: string; generated_at: string },
  named: readonly TrustedKey[],
): KeyChecks {
  const [first] = named;
  if (first === undefined) return { signature: 'unchecked', key: 'unknown' };
  const publicKey = hexToBytes(first.public_key);
  const isSigned = verifyStrict(primitives, hexToBytes(signature), toUtf8.encode(digest), publicKey);
  const isStolen = named.some(({ status }) => status === 'compromised');
  const dated = parseTimestamp(generated_at) ?? Number.POSITIVE_INFINITY;
  const isLate = named.some((key) => dated > endOfKey(key));
  return {
    signature: isSigned ? 'ok' : 'bad',
    key: isStolen ? 'compromised' : isLate ? 'retired' : 'trusted',
  };
}

/** Returns one sentence for each problem of the content_hash, the signature and the key. */
export function signedProblems({ hash, signature, key }: KeyChecks & Pick<SignedContent, 'hash'>): string[] {
  return [
    ...(hash === 'mismatch' ? ['content_hash is not that of the content'] : []),
    ...(signature === 'bad' ? ['signature is not by the key that kid names over this content'] : []),
    ...{
      unknown: ['kid names none of the trusted keys for credentials'],
      compromised: ['kid names a key that has been reported as compromised'],
      retired: ['generated_at is after the end of the key that kid names'],
      trusted: [],
      unchecked: [],
    }[key],
  ];
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
