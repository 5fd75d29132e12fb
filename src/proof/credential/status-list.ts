import type { JsonValue } from '../encoding/json.ts';
import { isJsonObject } from '../encoding/json.ts';
import type { Primitives } from '../primitives.ts';
import { bitAt, decodeBitstring } from './bitstring.ts';
import type { Credential } from './credential-shape.ts';
import { type CredentialOptions, judgeCredential } from './verdict.ts';
import { CREDENTIAL_VERDICTS } from './verdicts.ts';

/** What a status list says about a credential. */
export interface ListedStatus {
  status: 'active' | 'revoked' | 'unknown';
  /** Why the list does not count: a sentence without its full stop. Null if it does. */
  problem: string | null;
}

/**
 * Looks a credential up in a signed status list (W3C Bitstring Status List section 3.2), the response to
 * `GET /api/v1/credentials/status/{n}`. The list must be valid by the same keys, be the one that the
 * credential names, and have its issuer. A revocation is final, so an expired list still proves it. Never
 * throws.
 *
 * @param credential with a valid proof and a status
 */
export function statusInList(
  primitives: Primitives,
  { issuer, status }: Credential,
  document: JsonValue,
  options: CredentialOptions,
): ListedStatus {
  const unusable = (problem: string): ListedStatus => ({ status: 'unknown', problem });
  const { verdict, problem, credential: list } = judgeCredential(primitives, document, options);
  if (list === null) return unusable(problem ?? said(verdict));
  const subject = list.document.credentialSubject;
  if (list.type !== 'BitstringStatusListCredential' || subject === undefined || !isJsonObject(subject)) {
    return unusable('it is not a status list');
  }
  if (status === null || list.id !== status.list || list.issuer !== issuer) {
    return unusable(`it is another list: the credential names ${status?.list ?? 'none'}`);
  }
  const { type, statusPurpose, encodedList } = subject;
  const bits = typeof encodedList === 'string' ? decodeBitstring(encodedList) : null;
  if (type !== 'BitstringStatusList' || statusPurpose !== 'revocation' || bits === null) {
    return unusable('it is not a bitstring of revocations');
  }
  if (bitAt(bits, status.index)) return { status: 'revoked', problem: null };
  return verdict === 'valid' ? { status: 'active', problem: null } : unusable(said(verdict));
}

function said(verdict: keyof typeof CREDENTIAL_VERDICTS): string {
  return CREDENTIAL_VERDICTS[verdict].replace(/\.$/, '');
}
