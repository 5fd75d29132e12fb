import { hexToBytes } from '../encoding/hex.ts';
import type { JsonValue } from '../encoding/json.ts';
import { inOneGo, type Steps } from '../encoding/steps.ts';
import { AHEAD_MS } from '../encoding/timestamp.ts';
import { didKey } from '../keys/did-key.ts';
import { endOfKey, type TrustedKey } from '../keys/trusted-keys.ts';
import type { Primitives } from '../primitives.ts';
import { type Credential, credentialShape, quoted } from './credential-shape.ts';
import { verifyProof } from './data-integrity.ts';
import { figuresProblem } from './figures.ts';
import { didKeyMethod } from './multikey.ts';
import type { CredentialVerdict } from './verdicts.ts';

/** The parts of a published key that a verdict uses. */
export type PublishedKey = Pick<TrustedKey, 'kid' | 'public_key' | 'purpose' | 'status' | 'valid_until'>;

/** A trusted key of purpose `credentials`. */
export interface CredentialKey {
  kid: string;
  raw: Uint8Array;
  did: string;
  isCompromised: boolean;
  /** The Unix time in milliseconds after which it signs no new credentials. */
  end: number;
}

/** Whether a credential is revoked, as its issuer says. */
export type RevocationStatus = 'active' | 'revoked' | 'unknown';

export interface CredentialResult {
  verdict: CredentialVerdict;
  /** True, false, or null for a check that was not reached or whose result is unknown. */
  checks: {
    /** The document is a credential of a known type with one proof of the known suite. */
    shape: boolean | null;
    /** The issuer is trusted, and the proof names one of its keys. */
    issuer: boolean | null;
    /** That key signed the document as it is, and could do so at its date. */
    proof: boolean | null;
    /** Now is between validFrom and validUntil. */
    validity: boolean | null;
    /** The credential is not revoked. */
    status: boolean | null;
  };
  /**
   * Why a document is malformed or contradicts itself, also by its dates, or which issuer is unknown: one
   * sentence without its full stop. Null for other verdicts.
   */
  problem: string | null;
  /** The parts of a credential whose proof is valid; null for any other document. */
  credential: Credential | null;
}

/**
 * Returns what a result says of revocation: `ok` only if a status list says that the credential is not
 * revoked.
 */
export function credentialRevocation({
  checks: { status },
}: CredentialResult): 'ok' | 'revoked' | 'not_checked' {
  if (status === null) return 'not_checked';
  return status ? 'ok' : 'revoked';
}

export interface CredentialOptions {
  /** The keys that the verifier trusts. They are never taken from the document. */
  keys: readonly CredentialKey[];
  /**
   * The DIDs of the trusted issuers; null for did:key of the trusted keys, and every did:web whose credential
   * one of them signed.
   */
  issuers: readonly string[] | null;
  /**
   * The URL of the service without a slash at its end, whose contexts are accepted; null for contexts of
   * every service.
   */
  baseUrl: string | null;
  /** The Unix time in milliseconds. */
  now: number;
}

/**
 * Returns the trusted keys that may sign credentials. Keys of other purposes, such as receipts, sign no
 * credentials.
 */
export function credentialKeys(keys: readonly PublishedKey[]): CredentialKey[] {
  const own = keys.filter(({ purpose }) => purpose === 'credentials');
  return own.map((key) => {
    const raw = hexToBytes(key.public_key);
    // Lists from two sources can contain a key twice; the worse row of a key must win.
    const rows = own.filter(({ kid }) => kid === key.kid);
    return {
      kid: key.kid,
      raw,
      did: didKey(raw),
      isCompromised: rows.some(({ status }) => status === 'compromised'),
      end: Math.min(...rows.map(endOfKey)),
    };
  });
}

/**
 * Verifies a credential: its form, issuer, key, proof (Data Integrity, eddsa-jcs-2022) and dates. Revocation
 * is checked afterwards, by `withStatus`, since only the credential itself says where. Never throws for any
 * document.
 */
export function judgeCredential(
  primitives: Primitives,
  document: JsonValue,
  options: CredentialOptions,
): CredentialResult {
  return inOneGo(judgeCredentialSteps(primitives, document, options));
}

/** Does the same in steps. */
export function* judgeCredentialSteps(
  primitives: Primitives,
  document: JsonValue,
  { keys, issuers, baseUrl, now }: CredentialOptions,
): Steps<CredentialResult> {
  const shape = shapeOf(document, { keys, issuers, baseUrl });
  const checks: CredentialResult['checks'] = {
    shape: 'credential' in shape,
    issuer: null,
    proof: null,
    validity: null,
    status: null,
  };
  const refused = (verdict: CredentialVerdict, problem: string | null = null): CredentialResult => ({
    verdict,
    checks,
    problem,
    credential: null,
  });
  if ('problem' in shape) return refused('malformed', shape.problem);
  const { credential } = shape;
  const key = keyFor(credential, keys, issuers);
  checks.issuer = typeof key === 'object';
  if (key === 'issuer_unknown') {
    return refused(key, `its issuer is ${quoted(credential.issuer)}, which is not trusted`);
  }
  if (key === 'key_unknown') return refused(key);
  const validity = validityOf(credential, now);
  checks.validity = validity === 'valid';
  const isSigned = yield* verifyProof(primitives, credential.document, key.raw);
  const isLate = isDatedAfter(credential, key);
  checks.proof = isSigned && !isLate && !key.isCompromised;
  if (key.isCompromised) return refused('key_compromised');
  if (!isSigned) return refused('bad_proof');
  if (isLate) return refused('key_retired');
  const contradiction = figuresProblem(credential.document);
  if (contradiction !== null) return refused('inconsistent', contradiction);
  if (credential.signedAt < credential.validFrom - AHEAD_MS) {
    const dates = [credential.signedAt, credential.validFrom].map((time) => new Date(time).toISOString());
    return refused('misdated', `proof.created is ${dates[0]}, and validFrom is ${dates[1]}`);
  }
  return { verdict: validity, checks, problem: null, credential };
}

/**
 * Adds what the issuer says about the revocation of a credential. A credential that failed another check
 * keeps its verdict; one that cannot be revoked is returned as it is.
 */
export function withStatus(result: CredentialResult, status: RevocationStatus): CredentialResult {
  const { verdict, checks, credential } = result;
  if (credential === null || credential.status === null) return result;
  const failed = { active: null, revoked: 'revoked', unknown: 'status_unknown' } as const;
  return {
    ...result,
    verdict: verdict === 'valid' ? (failed[status] ?? verdict) : verdict,
    checks: { ...checks, status: status === 'unknown' ? null : status === 'active' },
  };
}

/**
 * Reads a document. The credential of another service has that service's context; its issuer says more about
 * it than the context, so it is read with its own. Only one of an unknown issuer is: the context of any other
 * must be the trusted one.
 */
function shapeOf(
  document: JsonValue,
  { keys, issuers, baseUrl }: Pick<CredentialOptions, 'keys' | 'issuers' | 'baseUrl'>,
): ReturnType<typeof credentialShape> {
  const shape = credentialShape(document, baseUrl);
  if ('credential' in shape || baseUrl === null) return shape;
  const foreign = credentialShape(document, null);
  const isForeign = 'credential' in foreign && keyFor(foreign.credential, keys, issuers) === 'issuer_unknown';
  return isForeign ? foreign : shape;
}

/** Returns the trusted key that a proof names, or why there is none. */
function keyFor(
  { issuer, verificationMethod }: Credential,
  keys: readonly CredentialKey[],
  issuers: readonly string[] | null,
): CredentialKey | 'issuer_unknown' | 'key_unknown' {
  if (issuers !== null && !issuers.includes(issuer)) return 'issuer_unknown';
  if (issuer.startsWith('did:web:')) {
    return keys.find(({ kid }) => verificationMethod === `${issuer}#${kid}`) ?? 'key_unknown';
  }
  const key = keys.find(({ did }) => did === issuer);
  if (key === undefined) return 'issuer_unknown';
  return verificationMethod === didKeyMethod(issuer) ? key : 'key_unknown';
}

function validityOf(
  { validFrom, signedAt, validUntil }: Credential,
  now: number,
): 'not_yet_valid' | 'expired' | 'valid' {
  // Negated, so that NaN from an invalid clock counts as outside.
  if (!(Math.max(validFrom, signedAt) <= now + AHEAD_MS)) return 'not_yet_valid';
  return now < validUntil ? 'valid' : 'expired';
}

/**
 * Returns whether a credential is dated after the end of its key. A retired key still signs its status lists.
 */
function isDatedAfter({ type, validFrom, signedAt }: Credential, { end }: CredentialKey): boolean {
  return type !== 'BitstringStatusListCredential' && !(Math.max(validFrom, signedAt) <= end + AHEAD_MS);
}
