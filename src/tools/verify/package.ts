import { printable } from '../../platform/terminal/output.ts';
import { groupDigits } from '../../platform/terminal/progress.ts';
import { describeCosignatures, isMet } from '../../proof/log/quorum.ts';
import type { CompliancePackage } from '../../proof/package/format.ts';
import {
  isPackageAsAsked,
  judgePackage,
  PACKAGE_VERDICTS,
  type PackageResult,
} from '../../proof/package/verdict.ts';
import { judgeByBoth } from './both-implementations.ts';
import type { VerifierContext } from './verifier-context.ts';

/** Verifies a compliance package and writes the result. @returns whether it is valid and the cosignatures meet the policy. @throws Failure */
export async function verifyPackage(
  document: Uint8Array,
  { trusted, logKeys, policy, now }: VerifierContext,
): Promise<boolean> {
  const { read, ...result } = await judgeByBoth('package', (primitives) =>
    judgePackage(primitives, document, { keys: trusted.keys, logKeys, policy, now }),
  );
  const shown = { ...result, package: read && factsOf(read) };
  // The problems quote the package, which could otherwise write another verdict on the terminal.
  process.stdout.write(`${printable(JSON.stringify(shown, null, 2))}\n`);
  const isValid = isPackageAsAsked({ ...result, read });
  process.stderr.write(`${headline(result.verdict, isValid)}\n`);
  for (const problem of result.problems)
    process.stderr.write(`  ${printable(problem).replaceAll('\n', '\\n')}\n`);
  if (read !== null) for (const line of wordsOf(read)) process.stderr.write(`  ${printable(line)}\n`);
  for (const found of result.cosignatures ?? [])
    if (isMet(found.check)) process.stderr.write(`  quorum: ${describeCosignatures(found)}\n`);
  return isValid;
}

/** Returns the sentence for the exit code. A valid package whose checkpoints miss the quorum is called "not proven". */
function headline(verdict: PackageResult['verdict'], isValid: boolean): string {
  if (verdict !== 'valid' || isValid) return `${verdict}: ${PACKAGE_VERDICTS[verdict]}`;
  return 'not proven: The package itself is valid; the cosignatures of its checkpoints do not meet the policy (quorum).';
}

/** Returns what an authentic package is about. */
function factsOf({ reference_sets, ...read }: CompliancePackage) {
  const {
    package_id,
    kind,
    framework,
    framework_edition,
    issuer,
    subject,
    period,
    generated_at,
    view,
    summary,
  } = read;
  return {
    package_id,
    kind,
    framework,
    framework_edition,
    issuer,
    subject,
    period,
    generated_at,
    view,
    summary,
    reference_sets: reference_sets.map(({ name, count, sample }) => ({
      name,
      count,
      sampled: sample.length,
    })),
  };
}

/** Describes what an authentic package is about, and how much of it was checked, in two lines. */
function wordsOf({ framework, subject, period, summary, reference_sets }: CompliancePackage): string[] {
  const of =
    subject.type === 'agent' ? `agent ${subject.subject_commitment}` : `cluster ${subject.cluster_id}`;
  const sum = (numbers: number[]): string =>
    groupDigits(numbers.reduce((total, number) => total + number, 0));
  const sampled = sum(reference_sets.map(({ sample }) => sample.length));
  const { satisfied, partial, not_assessed } = summary;
  return [
    `${framework} of ${of}, ${period.from} to ${period.to}: ${satisfied} satisfied, ${partial} partial, ${not_assessed} not assessed`,
    `${sampled} of ${sum(reference_sets.map(({ count }) => count))} references were sampled and checked`,
  ];
}
