import { nativePrimitives } from '../../platform/crypto/crypto.ts';
import { Failure } from '../../platform/failure.ts';
import { bytesOf, gathered } from '../../platform/files/read.ts';
import { printable } from '../../platform/terminal/output.ts';
import { presentedCredential } from '../../proof/credential/credential-shape.ts';
import {
  type CredentialOptions,
  credentialKeys,
  credentialRevocation,
  judgeCredential,
} from '../../proof/credential/verdict.ts';
import { CREDENTIAL_VERDICTS } from '../../proof/credential/verdicts.ts';
import { JsonError, type JsonValue, parseJsonBytes } from '../../proof/encoding/json.ts';
import { noblePrimitives } from '../../proof/noble.ts';
import type { Primitives } from '../../proof/primitives.ts';
import {
  type JudgedCredential,
  judgeWithList,
  problemsOf,
  refuseStatusOf,
  statusListFor,
} from '../verify/credential.ts';
import { keysFrom } from '../verify/trusted-keys.ts';

const MAX_BYTES = 2 ** 20;

/** The options of the command line. */
export interface VerifyCredentialOptions {
  keys: string;
  issuer?: string;
  at?: number;
  status?: string;
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
  if (status !== undefined) refuseStatusOf(read.document);
  const first = judgeCredential(nativePrimitives, read.document, trusted);
  // Only an authentic credential says where its list is.
  const list = status === undefined ? undefined : await statusListFor(first.credential, status);
  const judgedBy = (primitives: Primitives): JudgedCredential =>
    judgeWithList(primitives, read.document, trusted, list);
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

function documentIn(bytes: Uint8Array): { document: JsonValue } | { problem: string } {
  try {
    return { document: presentedCredential(parseJsonBytes(bytes)) };
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    return { problem: error.message };
  }
}

function unreadable(problem: string): JudgedCredential {
  const checks = { shape: false, issuer: null, proof: null, validity: null, status: null };
  return { result: { verdict: 'malformed', checks, problem, credential: null }, listProblem: null };
}

/** Writes the result as JSON to stdout and in words to stderr, and sets the exit code. */
function report(judged: JudgedCredential, { status }: VerifyCredentialOptions): void {
  const { verdict, checks, credential } = judged.result;
  const problems = problemsOf(judged);
  const facts = {
    id: credential?.id ?? null,
    type: credential?.type ?? null,
    issuer: credential?.issuer ?? null,
    subject: credential?.subject ?? null,
    valid_until: credential === null ? null : new Date(credential.validUntil).toISOString(),
  };
  // Both quote the document, which could otherwise write another verdict on the terminal.
  const revocation = credentialRevocation(judged.result);
  const result = { verdict, revocation, checks, problems, ...facts };
  process.stdout.write(`${printable(JSON.stringify(result, null, 2))}\n`);
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
