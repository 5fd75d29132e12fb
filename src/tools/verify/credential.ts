import { gunzipSync } from 'node:zlib';
import { nativePrimitives } from '../../platform/crypto/crypto.ts';
import { Failure } from '../../platform/failure.ts';
import {
  type Credential,
  credentialShape,
  presentedCredential,
} from '../../proof/credential/credential-shape.ts';
import { statusInList } from '../../proof/credential/status-list.ts';
import {
  type CredentialOptions,
  type CredentialResult,
  credentialKeys,
  credentialRevocation,
  judgeCredential,
  withStatus,
} from '../../proof/credential/verdict.ts';
import { CREDENTIAL_VERDICTS } from '../../proof/credential/verdicts.ts';
import { type JsonValue, parseJsonBytes } from '../../proof/encoding/json.ts';
import type { TrustedKey } from '../../proof/keys/trusted-keys.ts';
import type { Primitives } from '../../proof/primitives.ts';
import type { Judge } from './judgement.ts';
import { jsonFrom } from './proof-and-status.ts';

/** The lists of a service have 16 KiB. A short text can describe gigabytes. */
const MAX_LIST_BYTES = 2 ** 20;
const LIST = { what: 'status list', operation: 'GET /api/v1/credentials/status/<n>' };

/** A verdict, and why a status list does not count. */
export interface JudgedCredential {
  result: CredentialResult;
  listProblem: string | null;
}

/** Reads the status list of a credential; undefined if it has none. Only an authentic one says where its list is. @throws Failure */
export async function statusListFor(
  credential: Credential | null,
  source: string,
): Promise<JsonValue | undefined> {
  if (credential === null || credential.status === null) return undefined;
  return jsonFrom(source, URL.parse(credential.status.list)?.pathname ?? '', LIST);
}

/** Refuses --status for a status list, which has none: whoever passes one means another file. @throws Failure */
export function refuseStatusOf(document: JsonValue): void {
  const shape = credentialShape(document, null);
  if ('credential' in shape && shape.credential.status === null)
    throw new Failure('--status is for credentials, but this is a status list', 'omit --status', 2);
}

/** Reads the status list of a document of the kind `credential`; undefined unless it is authentic and has one. @throws Failure */
export async function statusListOf(
  document: Uint8Array,
  source: string,
  options: { keys: readonly TrustedKey[]; at: number },
): Promise<JsonValue | undefined> {
  const presented = presentedCredential(parseJsonBytes(document));
  refuseStatusOf(presented);
  const { credential } = judgeCredential(nativePrimitives, presented, optionsOf(options));
  return statusListFor(credential, source);
}

/** Judges a credential with its status list, if there is one. */
export function judgeWithList(
  primitives: Primitives,
  document: JsonValue,
  options: CredentialOptions,
  list: JsonValue | undefined,
): JudgedCredential {
  const result = judgeCredential(primitives, document, options);
  if (result.credential === null || list === undefined) return { result, listProblem: null };
  const { status, problem } = statusInList(primitives, result.credential, list, options, (bytes) =>
    gunzipSync(bytes, { maxOutputLength: MAX_LIST_BYTES }),
  );
  return { result: withStatus(result, status), listProblem: problem };
}

/** Returns the sentences about a credential and its status list. */
export function problemsOf({ result: { problem }, listProblem }: JudgedCredential): string[] {
  return [
    ...(problem === null ? [] : [problem]),
    ...(listProblem === null ? [] : [`status list: ${listProblem}`]),
  ];
}

/** Judges a W3C credential, with the status list of --status. The document is JSON, because otherwise it is not recognised. */
export const judgeCredentialKind: Judge = (primitives, document, { keys, at, beside }) => {
  const presented = presentedCredential(parseJsonBytes(document));
  const list = beside?.statusList;
  const judged = judgeWithList(primitives, presented, optionsOf({ keys, at }), list);
  const { verdict, checks, credential } = judged.result;
  const result = {
    verdict,
    revocation: credentialRevocation(judged.result),
    checks,
    problems: problemsOf(judged),
    id: credential?.id ?? null,
    type: credential?.type ?? null,
    issuer: credential?.issuer ?? null,
    subject: credential?.subject ?? null,
  };
  const isRevocable = credential !== null && credential.status !== null;
  return {
    isValid: verdict === 'valid',
    result,
    sentence: `${verdict}: ${CREDENTIAL_VERDICTS[verdict]}`,
    facts:
      isRevocable && list === undefined
        ? ['status: not checked; --status with the status list checks that it is not revoked']
        : [],
  };
};

function optionsOf({ keys, at }: { keys: readonly TrustedKey[]; at: number }): CredentialOptions {
  return { keys: credentialKeys(keys), issuers: null, baseUrl: null, now: at };
}
