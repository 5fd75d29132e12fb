import { gunzipSync } from 'node:zlib';
import { nativePrimitives } from '../../platform/crypto/crypto.ts';
import { Failure } from '../../platform/failure.ts';
import { bytesOf, gathered } from '../../platform/files/read.ts';
import { printable } from '../../platform/terminal/output.ts';
import { type Credential, presentedCredential } from '../../proof/credential/credential-shape.ts';
import { type ListedStatus, statusInList } from '../../proof/credential/status-list.ts';
import {
  type CredentialOptions,
  type CredentialResult,
  credentialKeys,
  judgeCredential,
  withStatus,
} from '../../proof/credential/verdict.ts';
import { CREDENTIAL_VERDICTS } from '../../proof/credential/verdicts.ts';
import { JsonError, type JsonValue, parseJsonBytes } from '../../proof/encoding/json.ts';
import { noblePrimitives } from '../../proof/noble.ts';
import type { Primitives } from '../../proof/primitives.ts';
import { jsonFrom } from '../verify/proof-and-status.ts';
import { keysFrom } from '../verify/trusted-keys.ts';

const MAX_BYTES = 2 ** 20;
/** The lists of a service have 16 KiB. A short text can describe gigabytes. */
const MAX_LIST_BYTES = 2 ** 20;

const LIST = { what: 'status list', operation: 'GET /api/v1/credentials/status/<n>' };

/** The options of the command line. */
export interface VerifyCredentialOptions {
  keys: string;
  issuer?: string;
  at?: number;
  status?: string;
}

/** A verdict, and why a status list does not count. */
interface Judged {
  result: CredentialResult;
  listProblem: string | null;
}

/** Verifies a credential from a file or standard input, and writes the result. The exit code is 1 unless it is valid. @throws Failure */
export async function verifyCredential(file: string, options: VerifyCredentialOptions): Promise<void> {
  const { keys, issuer, at, status } = options;
  if ([file, keys, status].filter((source) => source === '-').length > 1) {
    throw new Failure('standard input can be read once', 'specify files for all but one of the inputs', 2);
  }
  const bytes = await gathered(file, bytesOf(file), MAX_BYTES);
  const trusted: CredentialOptions = {
    keys: credentialKeys((await keysFrom(keys)).keys),
    issuers: issuer === undefined ? null : [issuer],
    baseUrl: null,
    now: at ?? Date.now(),
  };
  const read = documentIn(bytes);
  if ('problem' in read) return report(unreadable(read.problem), options);
  const first = judgeCredential(nativePrimitives, read.document, trusted);
  // Only an authentic credential says where its list is.
  const list = status === undefined ? undefined : await listFor(first.credential, status);
  const judgedBy = (primitives: Primitives): Judged => judged(primitives, read.document, trusted, list);
  const both = judgedBy(nativePrimitives);
  // Two independent implementations must agree; otherwise neither result is reliable.
  if (!Bun.deepEquals(both, judgedBy(noblePrimitives), true)) {
    throw new Failure(
      'two implementations of Ed25519 disagree about this credential',
      'report this error, with the credential',
    );
  }
  report(both, options);
}

/** Reads the status list of a credential; undefined if it has none. @throws Failure */
async function listFor(credential: Credential | null, source: string): Promise<JsonValue | undefined> {
  if (credential === null || credential.status === null) return undefined;
  return jsonFrom(source, URL.parse(credential.status.list)?.pathname ?? '', LIST);
}

function judged(
  primitives: Primitives,
  document: JsonValue,
  options: CredentialOptions,
  list: JsonValue | undefined,
): Judged {
  const result = judgeCredential(primitives, document, options);
  if (result.credential === null || list === undefined) return { result, listProblem: null };
  const { status, problem }: ListedStatus = statusInList(
    primitives,
    result.credential,
    list,
    options,
    (bytes) => gunzipSync(bytes, { maxOutputLength: MAX_LIST_BYTES }),
  );
  return { result: withStatus(result, status), listProblem: problem };
}

function documentIn(bytes: Uint8Array): { document: JsonValue } | { problem: string } {
  try {
    return { document: presentedCredential(parseJsonBytes(bytes)) };
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    return { problem: error.message };
  }
}

function unreadable(problem: string): Judged {
  const checks = { shape: false, issuer: null, proof: null, validity: null, status: null };
  return { result: { verdict: 'malformed', checks, problem, credential: null }, listProblem: null };
}

/** Writes the result as JSON to stdout and in words to stderr, and sets the exit code. */
function report({ result, listProblem }: Judged, { status }: VerifyCredentialOptions): void {
  const { verdict, checks, problem, credential } = result;
  const problems = [
    ...(problem === null ? [] : [problem]),
    ...(listProblem === null ? [] : [`status list: ${listProblem}`]),
  ];
  const facts = {
    id: credential?.id ?? null,
    type: credential?.type ?? null,
    issuer: credential?.issuer ?? null,
    subject: credential?.subject ?? null,
    valid_until: credential === null ? null : new Date(credential.validUntil).toISOString(),
  };
  // Both quote the document, which could otherwise write another verdict on the terminal.
  process.stdout.write(`${printable(JSON.stringify({ verdict, checks, problems, ...facts }, null, 2))}\n`);
  process.stderr.write(`${verdict}: ${CREDENTIAL_VERDICTS[verdict]}\n`);
  for (const line of problems) process.stderr.write(`  ${oneLine(line)}\n`);
  if (status === undefined && credential !== null && credential.status !== null) {
    process.stderr.write('  status: not checked; pass --status to check that it is not revoked\n');
  }
  if (verdict !== 'valid') process.exitCode = 1;
}

function oneLine(text: string): string {
  return printable(text).replaceAll('\n', '\\n');
}
