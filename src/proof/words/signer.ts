import { presentedCredential } from '../credential/credential-shape.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../encoding/json.ts';
import type { TrustedIssuer } from '../keys/trusted-issuer.ts';
import type { KindWords } from './kinds.ts';

/** Who signed a document, as it and the trusted list say. What is in it is only verified by the verdict. */
export interface Signer {
  /** The DID of the service; null if neither names it. */
  issuer: string | null;
  /** Whether this is the word of the document alone: no signature counts, or no list names the issuer. */
  is_only_claimed: boolean;
  /** The id of the key; null if the document names none. */
  kid: string | null;
  /** The log of keys that the trusted list names; null for none. */
  key_log: string | null;
}

/**
 * Returns who signed a document of a kind; null for one that no service signs, and for one without members.
 * @param words of the kind of document
 * @param trusted the issuer of the trusted list, or that of --issuer
 * @param isSigned whether the signature counts
 */
export function signerOf(
  { signer }: Omit<KindWords, 'verdicts' | 'additional'>,
  document: JsonValue,
  { trusted, keyLog, isSigned }: { trusted: TrustedIssuer | null; keyLog: string | null; isSigned: boolean },
): Signer | null {
  const object = signer === undefined ? null : signedIn(document, signer);
  if (object === null) return null;
  const named = issuerIn(object.issuer ?? null);
  const issuer = named ?? trusted?.did ?? null;
  // A did:key is the key itself.
  const isListed = named === null || named === trusted?.did || named.startsWith('did:key:');
  const is_only_claimed = !isSigned || !isListed;
  return { issuer, is_only_claimed, kid: kidIn(object), key_log: keyLog };
}

/** Returns whether the signature of a document counts: what it names without one is a claim. */
export function isSigned(checks: object): boolean {
  const { hash, signature, key, issuer, proof } = Object(checks);
  const isOfNobodyElse =
    hash !== 'mismatch' && key !== 'compromised' && issuer !== 'unknown' && issuer !== false;
  return isOfNobodyElse && (signature === 'ok' || proof === true);
}

/** Returns a line about who signed a document. */
export function describeSigner({ issuer, is_only_claimed, kid, key_log }: Signer): string {
  const who = `${issuer ?? 'a service that the list of keys does not name'}${is_only_claimed ? ' (only the document says so)' : ''}`;
  return `signer: ${who}, key ${kid ?? 'not named'}; log of keys: ${key_log ?? 'not named'}`;
}

function signedIn(document: JsonValue, where: Exclude<KindWords['signer'], undefined>): JsonObject | null {
  const ofBundle = where === 'receipt' && isJsonObject(document) ? (document.receipt ?? null) : document;
  const value = where === 'credential' ? presentedCredential(document) : ofBundle;
  return isJsonObject(value) ? value : null;
}

function issuerIn(issuer: JsonValue): string | null {
  if (typeof issuer === 'string') return issuer;
  return isJsonObject(issuer) && typeof issuer.id === 'string' ? issuer.id : null;
}

/** Returns the kid of a document; that of a credential is the fragment of its verificationMethod. */
function kidIn({ kid, proof }: JsonObject): string | null {
  if (typeof kid === 'string') return kid;
  const method = isJsonObject(proof ?? null) ? Object(proof).verificationMethod : null;
  return typeof method === 'string' ? method : null;
}
