import { nativePrimitives } from '../../platform/crypto/crypto.ts';
import { CREDENTIALS_CONTEXT, STATUS_LIST_PATH } from '../../proof/credential/contexts.ts';
import { secure } from '../../proof/credential/data-integrity.ts';
import type { JsonObject } from '../../proof/encoding/json.ts';
import { issuerOf } from '../agents/dids/issuer.ts';
import type { Signer } from '../log/keys/signing/signer.ts';
import { type SigningKey, signBy } from '../log/keys/signing/signer.ts';

export type DocumentContext = { url: string | null; signer: Signer };

/** A credential of any type before it is signed. */
export interface UnsignedCredential {
  /** URN, or the URL of a status list. */
  id: string;
  type: string;
  /** The URLs of the contexts after that of all credentials. */
  contexts: readonly string[];
  /** RFC 3339. */
  validFrom: string;
  validUntil: string;
  /** What the credential cannot show, for people; null for a status list. */
  description: string | null;
  /** The entry that says whether it is revoked; null for a status list. */
  status: StatusEntry | null;
  subject: JsonObject;
}

/** An entry of a status list. */
export interface StatusEntry {
  listSeq: number;
  listIndex: number;
}

/** Returns the URL of the service, without a slash at its end. */
export function baseUrl({ url }: { url: string | null }): string {
  return (url ?? 'http://localhost').replace(/\/$/, '');
}

/** Returns the URL of a status list. */
export function statusListUrl(trust: { url: string | null }, listSeq: number): string {
  return `${baseUrl(trust)}${STATUS_LIST_PATH}${listSeq}`;
}

/** The identities of keys. Base58 takes as long as a query. */
const identities = new WeakMap<SigningKey, { url: string | null; did: string; method: string }>();

/** Returns the DID of the issuer for what a key signs, and the DID URL of the key. */
export function identityOf(trust: DocumentContext, key: SigningKey): { did: string; method: string } {
  const { url } = trust;
  const known = identities.get(key);
  if (known?.url === url) return known;
  const issuer = issuerOf(trust);
  const identity = { url, did: issuer.didFor(key), method: issuer.methodFor(key) };
  identities.set(key, identity);
  return identity;
}

/**
 * Returns a credential with the proof of a key (W3C VC Data Model 2.0; Data Integrity, eddsa-jcs-2022). The
 * same arguments give the same document, byte for byte.
 */
export function signCredential(
  trust: DocumentContext,
  key: SigningKey,
  { id, type, contexts, validFrom, validUntil, description, status, subject }: UnsignedCredential,
) {
  const { did, method } = identityOf(trust, key);
  const document: JsonObject = {
    '@context': [CREDENTIALS_CONTEXT, ...contexts],
    id,
    type: ['VerifiableCredential', type],
    issuer: did,
    validFrom,
    validUntil,
    // A term of the context of all credentials, so that no context of ours changes.
    ...(description === null ? {} : { description }),
    ...(status === null ? {} : { credentialStatus: statusEntry(trust, status) }),
    credentialSubject: subject,
  };
  const options = { verificationMethod: method, created: validFrom };
  return secure(nativePrimitives, document, options, (message) => signBy(key, message));
}

/** Returns the `credentialStatus` of a credential (W3C Bitstring Status List section 2.1). */
function statusEntry(trust: { url: string | null }, { listSeq, listIndex }: StatusEntry): JsonObject {
  const statusListCredential = statusListUrl(trust, listSeq);
  return {
    id: `${statusListCredential}#${listIndex}`,
    type: 'BitstringStatusListEntry',
    statusPurpose: 'revocation',
    statusListIndex: String(listIndex),
    statusListCredential,
  };
}

/** Returns the id of a cluster as the subject of a credential or a package. */
export function clusterUrn(clusterId: string): string {
  return `urn:countersign:cluster:${clusterId}`;
}

/** Returns the `id` of a credential from its UUID of 32 hexadecimal characters. */
export function urnOf(credentialId: string): string {
  const parts = /^(.{8})(.{4})(.{4})(.{4})(.{12})$/.exec(credentialId)?.slice(1) ?? [];
  return `urn:uuid:${parts.join('-')}`;
}
