import { nativePrimitives } from '../../src/platform/crypto/crypto.ts';
import { judgeFiles } from '../../src/platform/verify-page/session/judge-files.ts';
import { judgeAccountStatement } from '../../src/proof/verifier/judge/account-statement.ts';
import { trustOf, verifierKeysIn } from '../../src/proof/verifier/trust.ts';
import type { TrustApp } from './trust-app.ts';

/**
 * Judges a statement of a month with a journal and the keys of a service, as `countersign verify` does.
 * @param now milliseconds since 1970
 */
export async function judgedStatement(
  { anyone }: Pick<TrustApp, 'anyone'>,
  statement: object,
  journal: Uint8Array,
  now: number,
) {
  const { body } = await anyone.get('/api/v1/transparency/keys');
  const context = {
    ...trustOf(verifierKeysIn(nativePrimitives, Object(body)), undefined, undefined),
    ...{ at: now, now, additional: { journal } },
  };
  const document = Buffer.from(JSON.stringify(statement));
  const { isValid, result } = judgeAccountStatement(nativePrimitives, document, context);
  return { isValid, journal: Object(result.checks).journal, problems: result.problems };
}

/** Returns the verdict that the verifier page shows of a statement, and the files that it used. */
export async function onVerifierPage(
  { anyone }: Pick<TrustApp, 'anyone'>,
  statement: unknown,
  journal: Uint8Array,
  now: number,
): Promise<string[]> {
  const { body } = await anyone.get('/api/v1/transparency/keys');
  const json = (name: string, value: unknown) => ({ name, bytes: Buffer.from(JSON.stringify(value)) });
  const files = [json('statement', statement), { name: 'the journal', bytes: journal }, json('keys', body)];
  const request = { files, baked: { keys: null, policy: null }, now };
  for await (const step of judgeFiles(nativePrimitives, request)) {
    const [row] = 'rows' in step ? step.rows : [];
    if (row !== undefined && 'described' in row) return [row.described.result.verdict, ...row.with];
  }
  return [];
}

const PYTHON = `
import json, sys
sys.path.insert(0, "src/tools/python")
import verify
journal = sys.stdin.buffer.read()
print(json.dumps([verify.journal_problems(verify.parse(said.encode()), journal) for said in sys.argv[1:]]))
`;

/** Returns what verify.py says that each statement and the journal say differently. */
export async function journalProblemsInPython(
  statements: readonly object[],
  journal: Uint8Array,
): Promise<string[][]> {
  const said = statements.map((statement) => JSON.stringify(statement));
  const child = Bun.spawn(['python3', '-Bc', PYTHON, ...said], { stdin: journal, stdout: 'pipe' });
  return JSON.parse(await new Response(child.stdout).text());
}
