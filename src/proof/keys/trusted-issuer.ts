import { isJsonObject, type JsonValue } from '../encoding/json.ts';
import { TrustedKeysError } from './trusted-keys.ts';

/** The issuer that a verifier accepts. */
export interface TrustedIssuer {
  did: string;
  /** Whether no other one counts. Else a did:key that is the key that signed does too. */
  isOnly: boolean;
}

/** A DID, in the form that the service has. */
const DID = /^did:[a-z0-9]+:[A-Za-z0-9_.:%-]{1,512}$/;

/**
 * Returns the issuer that a list of keys names; null for a list without it. The keys may have a did:key each,
 * so that what they signed before the service had a name still counts.
 * @throws TrustedKeysError for an issuer that is not a DID
 */
export function issuerInKeys(document: JsonValue): TrustedIssuer | null {
  const did = isJsonObject(document) ? (document.issuer ?? null) : null;
  if (did === null) return null;
  if (typeof did !== 'string' || !DID.test(did)) throw new TrustedKeysError('issuer is not a DID');
  return { did, isOnly: false };
}

/**
 * Returns why an issuer is not the trusted one; null if it is. That a did:key is the key that signed is
 * checked elsewhere.
 * @param trusted null accepts every did:web
 */
export function otherIssuer(issuer: string, trusted: TrustedIssuer | null | undefined): string | null {
  if (trusted == null || issuer === trusted.did) return null;
  if (!trusted.isOnly && issuer.startsWith('did:key:')) return null;
  return `issuer is ${issuer}, but the trusted issuer is ${trusted.did}`;
}
