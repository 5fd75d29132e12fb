import { withoutWords } from '../../../scripts/vectors/linked-account.ts';
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  parseJson,
} from '../../../src/proof/encoding/json.ts';
import type { Stated, VerdictVector } from './vectors.ts';

/** What a verifier said about a document. */
export interface Said {
  /** The exit code. */
  code: number;
  /** JSON: a document of several lines, or one a line with `--complete` and for a list. */
  stdout: string;
}

/** Returns what is wrong with the output of a verifier about a vector; empty for nothing. */
export function differences({ stated }: VerdictVector, said: Said): string[] {
  const accepted = isAccepted(stated);
  const wrongCode =
    accepted === undefined || (said.code === 0) === accepted ? [] : [`the exit code is ${said.code}`];
  if (stated.lines !== undefined) return [...wrongCode, ...differencesOfLines(stated.lines, said.stdout)];
  if (stated.counted !== undefined) return [...wrongCode, ...differencesOfCount(stated.counted, said.stdout)];
  if (stated.verdict === undefined) return said.stdout === '' ? ['there is no verdict'] : wrongCode;
  if (stated.verdict === null) return said.stdout === '' ? wrongCode : [...wrongCode, 'there is a verdict'];
  return [...wrongCode, ...differencesOfResult(stated, resultIn(said.stdout))];
}

/** The checks that leave a valid document accepted. */
const GOOD: readonly unknown[] = [
  ...['ok', 'none', 'trusted', true, null, undefined],
  // What a package does not show, or a verifier does not know.
  ...['partly', 'not_shown', 'unknown'],
];

/** Whether the exit code must be 0: as it is stated, else by the verdict and the checks; undefined for either. */
export function isAccepted({ verdict, checks = {}, ...stated }: Stated): boolean | undefined {
  if (stated.isAccepted !== undefined || verdict === undefined) return stated.isAccepted;
  return verdict === 'valid' && Object.values(checks).every((check) => GOOD.includes(check));
}

/** Returns the result that a verifier prints; null for none. Of a list with one line, it is that of the line. */
export function resultIn(stdout: string): JsonObject | null {
  if (stdout === '') return null;
  const lines = stdout.startsWith('{\n') ? [stdout] : stdout.trimEnd().split('\n');
  const [result = null] = lines.map((text) => parseJson(text));
  return isJsonObject(result) ? result : null;
}

function differencesOfResult(stated: Stated, result: JsonObject | null): string[] {
  if (result === null) return ['there is no result'];
  const { verdict, revocation } = result;
  const checks = isJsonObject(result.checks) ? result.checks : {};
  const wrong = Object.entries(stated.checks ?? {}).filter(([name, check]) => checks[name] !== check);
  return [
    ...(verdict === stated.verdict ? [] : [`the verdict is ${verdict}`]),
    ...wrong.map(([name]) => `the check ${name} is ${checks[name]}`),
    ...(stated.revocation === undefined || revocation === stated.revocation
      ? []
      : [`revocation is ${revocation}`]),
  ];
}

/** Whether a result of `countersign verify` names the problem that a vector states. */
export function isProblemNamed({ problem }: Stated, stdout: string): boolean {
  if (problem === undefined) return true;
  const result = resultIn(stdout);
  const problems = Array.isArray(result?.problems) ? result.problems : [];
  return problem === null
    ? result?.verdict !== 'valid' || problems.length === 0
    : problems.some((said) => String(said).startsWith(problem));
}

function differencesOfCount(verdict: string, stdout: string): string[] {
  const summary = parseJson(stdout.trimEnd().split('\n').at(-1) ?? '');
  const verdicts = isJsonObject(summary) ? summary.verdicts : null;
  return Bun.deepEquals(verdicts, { [verdict]: 1 }) ? [] : [`the list says ${stdout}`];
}

function differencesOfLines({ problems, summary }: NonNullable<Stated['lines']>, stdout: string): string[] {
  if (problems === null || stdout === '')
    return problems === null && stdout === '' ? [] : [`it says ${stdout}`];
  const lines = stdout
    .trimEnd()
    .split('\n')
    .map((line) => parseJson(line));
  const shown = lines.slice(0, -1).map((line, index): JsonValue => {
    const { detail = null, ...rest } = isJsonObject(line) ? line : {};
    const beginning = problems[index]?.detail;
    // A detail is compared as far as it is stated.
    if (typeof beginning !== 'string') return rest;
    return { ...rest, detail: String(detail).startsWith(beginning) ? beginning : detail };
  });
  const found = withoutWords(lines.at(-1) ?? null);
  return Bun.deepEquals([shown, found], [problems, summary]) ? [] : [`it says ${stdout}`];
}
