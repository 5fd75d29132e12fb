import { isJsonObject, type JsonObject, type JsonValue } from '../encoding/json.ts';
import { parseTimestamp } from '../encoding/timestamp.ts';
import { LIST_ENTRIES } from './bitstring.ts';
import {
  CREDENTIALS_CONTEXT,
  REPUTATION_CONTEXT_PATH,
  REPUTATION_CONTEXT_V1_PATH,
  SUSTAINABILITY_CONTEXT_PATH,
  SUSTAINABILITY_CONTEXT_V1_PATH,
} from './contexts.ts';
import { CRYPTOSUITE, PROOF_TYPE } from './data-integrity.ts';

/**
 * The types of credentials that a service signs: the paths of the second context on the service, the newest
 * first, and whether the credential can be revoked.
 */
const TYPES = {
  AgentReputationCredential: {
    contexts: [REPUTATION_CONTEXT_PATH, REPUTATION_CONTEXT_V1_PATH],
    hasStatus: true,
  },
  DataCenterSustainabilityCredential: {
    contexts: [SUSTAINABILITY_CONTEXT_PATH, SUSTAINABILITY_CONTEXT_V1_PATH],
    hasStatus: true,
  },
  BitstringStatusListCredential: { contexts: [], hasStatus: false },
} as const;

export type CredentialType = keyof typeof TYPES;

/**
 * The longest validity that a service gives. Whoever gets hold of a retired key can date a credential back,
 * but not make it last for longer than a day after the end of the key.
 */
export const LONGEST_VALIDITY_MS = 24 * 3600_000;

/** The place of a credential in a status list (W3C Bitstring Status List 1.0, section 2.1). */
export interface StatusEntry {
  /** The URL of the list. */
  list: string;
  index: number;
}

/** The parts of a credential that a verdict uses. */
export interface Credential {
  document: JsonObject;
  type: CredentialType;
  /** The identifier: `urn:uuid:…` or the URL of a status list. */
  id: string;
  issuer: string;
  /** The id of the subject. */
  subject: string;
  verificationMethod: string;
  /** Unix times in milliseconds. */
  validFrom: number;
  validUntil: number;
  /** The time that the proof names; validFrom if it names none. */
  signedAt: number;
  /** Null for a credential that cannot be revoked. */
  status: StatusEntry | null;
}

/**
 * The members of a proof. Others, such as `expires` or `domain`, would limit it, so they are refused instead
 * of ignored.
 */
const PROOF_MEMBERS: readonly string[] = [
  '@context',
  'type',
  'cryptosuite',
  'created',
  'verificationMethod',
  'proofPurpose',
  'proofValue',
];
/** The members of a proof with a fixed value (W3C Data Integrity EdDSA Cryptosuites 1.0, section 3.3). */
const PROOF_VALUES = {
  type: PROOF_TYPE,
  cryptosuite: CRYPTOSUITE,
  proofPurpose: 'assertionMethod',
};

/**
 * Returns the credential in a document: the document itself, or what it has as `credential` or
 * `verifiableCredential`. A document with both is returned as it is, which is no credential, because nobody
 * would know which one was verified.
 */
export function presentedCredential(document: JsonValue): JsonValue {
  if (!isJsonObject(document) || Object.hasOwn(document, '@context')) return document;
  const [first, ...others] = ['credential', 'verifiableCredential'].filter((name) =>
    Object.hasOwn(document, name),
  );
  return first === undefined || others.length > 0 ? document : (document[first] ?? null);
}

/** Says what is wrong with a document, as a sentence without its full stop. */
class Malformed extends Error {
  override readonly name = 'Malformed';
}

/**
 * Checks that a parsed document is a credential of a type that a service issues, with one proof of the suite
 * eddsa-jcs-2022 for the purpose assertionMethod. It verifies no signature.
 *
 * The contexts say what the words of a credential mean, and software that processes JSON-LD follows them. So
 * they are exactly that of W3C and that of the type, in this order, and the proof repeats them.
 * @param baseUrl the URL of the service, without a slash at its end, whose contexts are accepted; null for
 * those of every service
 */
export function credentialShape(
  value: JsonValue,
  baseUrl: string | null,
): { credential: Credential } | { problem: string } {
  try {
    return { credential: read(value, baseUrl) };
  } catch (error) {
    if (!(error instanceof Malformed)) throw error;
    return { problem: error.message };
  }
}

function read(document: JsonValue, baseUrl: string | null): Credential {
  if (!isJsonObject(document)) return fail('the credential is not a JSON object');
  const type = typeOf(document);
  checkContexts(document, TYPES[type].contexts, baseUrl);
  const { verificationMethod, created } = readProof(document);
  const validFrom = timeIn(document, 'validFrom');
  const validUntil = timeIn(document, 'validUntil');
  if (validUntil < validFrom) fail('validUntil is before validFrom');
  if (validUntil - validFrom > LONGEST_VALIDITY_MS) fail('it is valid for longer than a day');
  return {
    document,
    type,
    id: textIn(document, 'id'),
    issuer: textIn(document, 'issuer'),
    subject: textIn(objectIn(document, 'credentialSubject'), 'id', 'credentialSubject.id'),
    verificationMethod,
    validFrom,
    validUntil,
    signedAt: created ?? validFrom,
    status: TYPES[type].hasStatus ? statusIn(document) : null,
  };
}

function typeOf(document: JsonObject): CredentialType {
  const types = member(document, 'type');
  if (!Array.isArray(types) || types.length !== 2 || types[0] !== 'VerifiableCredential') {
    const expected = Object.keys(TYPES).map((name) => JSON.stringify(['VerifiableCredential', name]));
    return fail(`type is ${types === undefined ? 'missing' : 'wrong'}: it must be ${expected.join(' or ')}`);
  }
  const known = Object.keys(TYPES).find((name): name is CredentialType => name === types[1]);
  return known ?? fail(`type has ${quoted(types[1])}, which is not one of ${Object.keys(TYPES).join(', ')}`);
}

function checkContexts(document: JsonObject, paths: readonly string[], baseUrl: string | null): void {
  const contexts = member(document, '@context');
  if (!Array.isArray(contexts)) fail('@context is missing or not an array');
  const isOurs = (context: JsonValue): boolean => paths.some((path) => isContextAt(context, path, baseUrl));
  const [path] = paths;
  const unknown = contexts.find((context) => context !== CREDENTIALS_CONTEXT && !isOurs(context));
  if (unknown !== undefined) {
    fail(`@context has ${quoted(unknown)}, which is not a context of this type of credential`);
  }
  const [first, second] = contexts;
  if (first !== CREDENTIALS_CONTEXT)
    fail(`the order of @context was changed: ${CREDENTIALS_CONTEXT} comes first`);
  if (path === undefined ? contexts.length !== 1 : contexts.length !== 2 || !isOurs(second ?? null)) {
    const expected = path === undefined ? '' : `, then ${baseUrl ?? '<the URL of the service>'}${path}`;
    fail(`@context is not ${CREDENTIALS_CONTEXT}${expected}, and nothing else`);
  }
}

function isContextAt(context: JsonValue, path: string, baseUrl: string | null): boolean {
  if (typeof context !== 'string') return false;
  return baseUrl === null
    ? /^https?:\/\/[^\s?#]+$/.test(context) && context.endsWith(path)
    : context === baseUrl + path;
}

function readProof(document: JsonObject): { verificationMethod: string; created: number | null } {
  const proof = member(document, 'proof');
  if (proof === undefined) return fail('proof is missing: the credential is not signed');
  if (Array.isArray(proof)) return fail('proof is an array: a credential of a service has exactly one proof');
  if (!isJsonObject(proof)) return fail('proof is not a JSON object');
  const other = Object.keys(proof).find((name) => !PROOF_MEMBERS.includes(name));
  if (other !== undefined) return fail(`proof has the member ${quoted(other)}, which is not supported`);
  for (const [name, value] of Object.entries(PROOF_VALUES)) {
    const found = member(proof, name);
    if (found !== value) return fail(`proof.${name} is ${quoted(found)}: only ${value} is accepted`);
  }
  if (!isSameList(member(proof, '@context'), member(document, '@context'))) {
    return fail('proof.@context is not the @context of the credential');
  }
  textIn(proof, 'proofValue', 'proof.proofValue');
  return {
    verificationMethod: textIn(proof, 'verificationMethod', 'proof.verificationMethod'),
    created: Object.hasOwn(proof, 'created') ? timeIn(proof, 'created', 'proof.created') : null,
  };
}

function isSameList(one: JsonValue | undefined, other: JsonValue | undefined): boolean {
  if (!Array.isArray(one) || !Array.isArray(other) || one.length !== other.length) return false;
  return one.every((item, index) => item === other[index]);
}

function statusIn(document: JsonObject): StatusEntry {
  const entry = objectIn(document, 'credentialStatus');
  if (entry.type !== 'BitstringStatusListEntry' || entry.statusPurpose !== 'revocation') {
    return fail('credentialStatus is not a BitstringStatusListEntry for revocation');
  }
  const index = textIn(entry, 'statusListIndex', 'credentialStatus.statusListIndex');
  if (!/^(?:0|[1-9]\d{0,5})$/.test(index) || Number(index) >= LIST_ENTRIES) {
    return fail(`credentialStatus.statusListIndex is not a string with a number below ${LIST_ENTRIES}`);
  }
  const list = textIn(entry, 'statusListCredential', 'credentialStatus.statusListCredential');
  return { list, index: Number(index) };
}

function timeIn(object: JsonObject, name: string, path = name): number {
  return parseTimestamp(textIn(object, name, path)) ?? fail(`${path} is not an RFC 3339 date and time`);
}

function textIn(object: JsonObject, name: string, path = name): string {
  const text = member(object, name);
  return typeof text === 'string' ? text : fail(`${path} is missing or not a string`);
}

function objectIn(object: JsonObject, name: string): JsonObject {
  const value = member(object, name);
  return value !== undefined && isJsonObject(value) ? value : fail(`${name} is missing or not a JSON object`);
}

function member(object: JsonObject, name: string): JsonValue | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

/** Returns a value of the document for a message, shortened. */
/** Returns a value as JSON for a message, at most 80 characters of it. */
export function quoted(value: JsonValue | undefined): string {
  const text = value === undefined ? 'missing' : JSON.stringify(value);
  return text.length <= 80 ? text : `${text.slice(0, 80)}…`;
}

function fail(problem: string): never {
  throw new Malformed(problem);
}
