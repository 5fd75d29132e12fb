import { type CompliancePackage, EARLIER_PACKAGE_VERSION } from '../../package/format.ts';
import { isPackageAsAsked, judgePackage, type PackageResult } from '../../package/verdict.ts';
import { groupDigits } from '../../words/group-digits.ts';
import type { Judge } from '../values/judgement.ts';
import { quorumsMet } from './sentences.ts';

/** Judges a compliance package: it is valid if the cosignatures meet the policy too. */
export const judgePackageDocument: Judge = (primitives, document, context) => {
  const judged = judgePackage(primitives, document, context);
  const { read, attribution, ...result } = judged;
  const isValid = isPackageAsAsked(judged);
  return {
    isValid,
    result: { ...result, package: read && { ...factsOf(read), sampled_receipts: attribution ?? null } },
    kind: 'package',
    facts: [
      ...(read === null ? [] : wordsOf(read)),
      ...attributionFacts(judged),
      ...quorumsMet(result.cosignatures),
    ],
  };
};

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
    coverage,
    records,
    assessors,
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
    ...(read.v !== EARLIER_PACKAGE_VERSION && { coverage, records, assessors }),
    reference_sets: reference_sets.map(({ name, count, sample }) => ({
      name,
      count,
      sampled: sample.length,
    })),
  };
}

/** Describes what an authentic package is about, and how much of it was checked. */
function wordsOf(read: CompliancePackage): string[] {
  const { framework, subject, period, summary, reference_sets, coverage } = read;
  const of =
    subject.type === 'agent' ? `agent ${subject.subject_commitment}` : `cluster ${subject.cluster_id}`;
  const sum = (numbers: number[]): string =>
    groupDigits(numbers.reduce((total, number) => total + number, 0));
  const sampled = sum(reference_sets.map(({ sample }) => sample.length));
  const { satisfied, partial, reported, not_assessed } = summary;
  const isEarlier = read.v === EARLIER_PACKAGE_VERSION;
  return [
    `${framework} of ${of}, ${period.from} to ${period.to}: ${satisfied} satisfied, ${partial} partial, ${isEarlier ? '' : `${reported} reported, `}${not_assessed} not assessed`,
    ...(isEarlier
      ? [
          'it is of version 1: its rules asked for no coverage of the period, and took what the subject says of itself as satisfied',
        ]
      : []),
    ...coverage.map(
      ({ records, count, days, record_days, covered_days }) =>
        `${groupDigits(count)} ${records} on ${record_days} of ${days} days, ${covered_days} days covered`,
    ),
    `${sampled} of ${sum(reference_sets.map(({ count }) => count))} references were sampled and checked`,
  ];
}

/** Returns what shows that the sampled entries of receipts are of the subject, or that nothing does. */
function attributionFacts({ read, checks, attribution }: PackageResult): string[] {
  if (read === null || checks.sample !== 'ok' || attribution === undefined) return [];
  const { sampled, shown, operators } = attribution;
  const missing = sampled - shown;
  const facts: string[] = [];
  if (shown > 0)
    facts.push(
      `shown: that ${groupDigits(shown)} of the sampled entries of receipts are of the agent, by its receipts from ${operators.join(', ')}`,
    );
  if (missing > 0)
    facts.push(
      `not shown: that ${groupDigits(missing)} of the sampled entries are of the ${read.subject.type}, since ${reasonOf(read, shown)}`,
    );
  return facts;
}

function reasonOf({ subject }: CompliancePackage, shown: number): string {
  if (shown > 0) return 'their receipts are not in the package, or their key does not count';
  return subject.type === 'agent'
    ? 'entries of receipts name none; the package for its sponsor has the receipts'
    : 'entries of receipts name none';
}
