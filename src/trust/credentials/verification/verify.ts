import { nativePrimitives } from '../../../platform/crypto/crypto.ts';
import type { Store } from '../../../platform/store/store.ts';
import type { Clock } from '../../../platform/time/clock.ts';
import { slices } from '../../../platform/turns/slices.ts';
import { type Credential, presentedCredential } from '../../../proof/credential/credential-shape.ts';
import {
  type CredentialKey,
  type CredentialResult,
  credentialKeys,
  judgeCredentialSteps,
  type RevocationStatus,
  withStatus,
} from '../../../proof/credential/verdict.ts';
import { CREDENTIAL_VERDICTS } from '../../../proof/credential/verdicts.ts';
import { hexToBytes } from '../../../proof/encoding/hex.ts';
import type { JsonObject } from '../../../proof/encoding/json.ts';
import { didKey } from '../../../proof/keys/did-key.ts';
import { issuerOf } from '../../agents/dids/issuer.ts';
import type { Signer, SigningKey } from '../../log/keys/signing/signer.ts';
import { baseUrl, clusterUrn } from '../document.ts';
import { countsAsRevoked, findCredentialIn } from '../revocation.ts';
import type { FoundCredential } from '../store.ts';
import { errorOf } from './errors.ts';

export type VerificationContext = { store: Store; clock: Clock; signer: Signer; url: string | null };

/**
 * Verifies a credential: only keys of this service for credentials count, and only its own DIDs as issuer.
 * Revocation is read from the database, so that it counts at once.
 * @param body the credential, or an object with it as `credential` or `verifiableCredential`
 * @throws ApiError credential_… for one that is not valid
 */
export async function verifyCredential(trust: VerificationContext, body: JsonObject) {
  const { verdict, checks, problem, credential } = await judgeHere(trust, body);
  if (verdict === 'valid' && credential !== null) {
    return { valid: true as const, issuer: credential.issuer, subject: credential.subject, checks };
  }
  if (verdict === 'valid') throw new Error('a valid credential is known');
  const error = errorOf(verdict);
  const detail = problem === null ? '' : ` The problem: ${problem}.`;
  throw error({
    message: `${CREDENTIAL_VERDICTS[verdict]}${detail} ${error.remedy}`,
    members: { valid: false, checks },
  });
}

async function judgeHere(trust: VerificationContext, body: JsonObject): Promise<CredentialResult> {
  const keys = keysOf(trust.signer.all());
  const steps = judgeCredentialSteps(nativePrimitives, presentedCredential(body), {
    keys,
    issuers: [issuerOf(trust).did, ...keys.map(({ did }) => did)],
    baseUrl: baseUrl(trust),
    now: trust.clock.now(),
  });
  const result = await slices.run(steps);
  // Only an authentic credential is looked up.
  return result.credential === null ? result : withStatus(result, await statusOf(trust, result.credential));
}

/**
 * Returns whether a credential is revoked, itself or with its subject. The result is `unknown` unless the
 * database has a row with this id, subject, dates and entry. With a stolen retired key, anybody can sign a
 * document that has the id of a real credential.
 */
async function statusOf(
  { store }: Pick<VerificationContext, 'store'>,
  credential: Credential,
): Promise<RevocationStatus> {
  const row = await store.read((snapshot) => findCredentialIn(snapshot, credential.id));
  if (row === null || !isRowOf(row, credential)) return 'unknown';
  return countsAsRevoked(row) ? 'revoked' : 'active';
}

function isRowOf(row: FoundCredential, { subject, validFrom, validUntil, status }: Credential): boolean {
  return (
    subjectOf(row) === subject &&
    Date.parse(row.validFrom) === validFrom &&
    Date.parse(row.validUntil) === validUntil &&
    row.listIndex === status?.index
  );
}

/** Returns the id of the subject of a credential's row. */
function subjectOf({ publicKey, clusterId }: FoundCredential): string | null {
  if (publicKey !== null) return didKey(hexToBytes(publicKey));
  return clusterId === null ? null : clusterUrn(clusterId);
}

const known = new WeakMap<readonly SigningKey[], CredentialKey[]>();

/**
 * Returns the keys that may sign credentials. The signer replaces its list when a key changes, so the result
 * is cached for each list.
 */
function keysOf(all: readonly SigningKey[]): CredentialKey[] {
  const cached = known.get(all);
  if (cached !== undefined) return cached;
  const keys = credentialKeys(
    all
      .filter(({ algorithm }) => algorithm === 'Ed25519')
      .map(({ kid, publicKey, purpose, status, validUntil }) => {
        return { kid, public_key: publicKey, purpose, status, valid_until: validUntil };
      }),
  );
  known.set(all, keys);
  return keys;
}
