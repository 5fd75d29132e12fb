import { presentedCredential } from '../../credential/credential-shape.ts';
import { statusInList } from '../../credential/status-list.ts';
import {
  type CredentialOptions,
  type CredentialResult,
  credentialKeys,
  credentialRevocation,
  judgeCredential,
  withStatus,
} from '../../credential/verdict.ts';
import { isJsonObject, JsonError, type JsonValue, parseJsonBytes } from '../../encoding/json.ts';
import type { Primitives } from '../../primitives.ts';
import type { VerifierContext } from '../values/context.ts';
import type { Judge } from '../values/judgement.ts';

/** A verdict, and why a status list does not count. */
interface JudgedCredential {
  result: CredentialResult;
  listProblem: string | null;
}

/** Judges a W3C credential, with the status list of --status. */
export const judgeCredentialKind: Judge = (primitives, document, context) => {
  const { statusList } = context.additional ?? {};
  const judged = judgeWithList(primitives, document, credentialOptions(context), statusList);
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
    valid_until: credential === null ? null : new Date(credential.validUntil).toISOString(),
  };
  return {
    isValid: verdict === 'valid',
    result,
    kind: hasStatus(document) ? 'credential' : 'statusList',
    facts: [],
  };
};

/** Returns whether a credential can be revoked: a status list has no status of its own. */
function hasStatus(document: Uint8Array): boolean {
  const read = credentialIn(document);
  const credential = 'credential' in read ? read.credential : null;
  return !isJsonObject(credential) || Object.hasOwn(credential, 'credentialStatus');
}

/** Returns what credentials are judged with. */
export function credentialOptions({
  keys,
  at,
  issuer = null,
}: Pick<VerifierContext, 'keys' | 'at' | 'issuer'>): CredentialOptions {
  const trusted = credentialKeys(keys);
  const ofKeys = issuer?.isOnly === true ? [] : trusted.map(({ did }) => did);
  const issuers = issuer === null ? null : [issuer.did, ...ofKeys];
  return { keys: trusted, issuers, baseUrl: null, now: at };
}

/** Judges a credential with its status list, if there is one. */
function judgeWithList(
  primitives: Primitives,
  document: Uint8Array,
  options: CredentialOptions,
  list: JsonValue | undefined,
): JudgedCredential {
  const read = credentialIn(document);
  if ('problem' in read) return { result: unreadable(read.problem), listProblem: null };
  const result = judgeCredential(primitives, read.credential, options);
  if (result.credential === null || list === undefined) return { result, listProblem: null };
  const { status, problem } = statusInList(primitives, result.credential, list, options);
  return { result: withStatus(result, status), listProblem: problem };
}

/** Returns the credential in a document, or why the document is not JSON. */
export function credentialIn(document: Uint8Array): { credential: JsonValue } | { problem: string } {
  try {
    return { credential: presentedCredential(parseJsonBytes(document)) };
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    return { problem: error.message };
  }
}

function unreadable(problem: string): CredentialResult {
  const checks = { shape: false, issuer: null, proof: null, validity: null, status: null };
  return { verdict: 'malformed', checks, problem, credential: null };
}

/** Returns the sentences about a credential and its status list. */
function problemsOf({ result: { problem }, listProblem }: JudgedCredential): string[] {
  return [
    ...(problem === null ? [] : [problem]),
    ...(listProblem === null ? [] : [`status list: ${listProblem}`]),
  ];
}
