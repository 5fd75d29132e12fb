import { groupDigits } from '../../../platform/terminal/progress.ts';
import { readAnyRevocationEntry } from '../../../proof/log/log-entry.ts';
import { describeCosignatures, isMet } from '../../../proof/log/quorum.ts';
import type { CompliancePackage } from '../../../proof/package/format.ts';
import {
  isPackageAsAsked,
  judgePackage,
  PACKAGE_VERDICTS,
  type PackageResult,
} from '../../../proof/package/verdict.ts';
import type { Judge } from '../values/judgement.ts';
import { describeTree } from './sentences.ts';

/** Judges a compliance package: it is valid if the cosignatures meet the policy too. */
export const judgePackageDocument: Judge = (primitives, document, context) => {
  const { read, ...result } = judgePackage(primitives, document, context);
  const isValid = isPackageAsAsked({ ...result, read });
  const cosigned = (result.cosignatures ?? []).filter(({ check }) => isMet(check));
  return {
    isValid,
    result: { ...result, package: read && factsOf(read) },
    sentence: headline(result.verdict, isValid),
    facts: [
      ...(read === null ? [] : wordsOf(read)),
      ...(read === null || result.checks.sample !== 'ok' ? [] : notShown(read)),
      ...(result.trees ?? []).map((tree) => `log: ${describeTree(tree)}`),
      ...cosigned.map((cosignatures) => `quorum: ${describeCosignatures(cosignatures)}`),
    ],
  };
};

/**
 * Returns the sentence for the exit code. A valid package whose checkpoints miss the quorum is "not proven".
 */
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

/** Returns what the sampled entries do not show: those of receipts and of their revocations name no agent. */
function notShown({ subject, reference_sets }: CompliancePackage): string[] {
  const nameless = reference_sets
    .flatMap(({ sample }) => sample)
    .filter(({ log, leaf_entry }) => log === 'receipts' || (log === 'revocations' && !isOfAgent(leaf_entry)));
  if (subject.type !== 'agent' || nameless.length === 0) return [];
  return [
    `not shown: that ${groupDigits(nameless.length)} of the sampled entries are of the agent, since entries of receipts name none`,
  ];
}

/** Returns whether an entry of the log of revocations, which was checked before, is of an agent. */
const isOfAgent = (entry: string): boolean => 'agent' in readAnyRevocationEntry(entry);
