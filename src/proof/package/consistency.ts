import { commonOf, isOriginOf, LOG_NAMES } from '../log/log-names.ts';
import { coverageProblems, daysOf } from './coverage.ts';
import {
  type CitedSet,
  CONTROL_STATUSES,
  type CompliancePackage,
  EARLIER_PACKAGE_VERSION,
  summaryOf,
} from './format.ts';
import { ASSESSMENTS_SET } from './frameworks/vocabulary.ts';

/**
 * Returns what the members of a package say differently in two places, one sentence each: its period, its
 * coverage, its summary, the sets that its controls cite, and its checkpoints.
 */
export function inconsistencies(read: CompliancePackage): string[] {
  return [
    ...periodProblems(read),
    ...coverageProblems(read.coverage, read.period),
    ...duplicates(
      'controls',
      'id',
      read.controls.map(({ id }) => id),
    ),
    ...duplicates(
      'reference_sets',
      'name',
      read.reference_sets.map(({ name }) => name),
    ),
    ...summaryProblems(read),
    ...attesterProblems(read),
    ...assessorProblems(read),
    ...controlProblems(read),
    ...checkpointProblems(read),
  ];
}

/** Times are in UTC with milliseconds, so they compare as texts. */
function periodProblems({ period }: CompliancePackage): string[] {
  return period.from < period.to ? [] : ['period.to is not after period.from'];
}

function duplicates(list: string, member: string, values: readonly string[]): string[] {
  return values.flatMap((value, index) => {
    const first = values.indexOf(value);
    return first === index ? [] : [`${list}[${index}].${member} is also that of ${list}[${first}]`];
  });
}

function summaryProblems({ summary, controls }: CompliancePackage): string[] {
  const counted = summaryOf(controls);
  return CONTROL_STATUSES.filter((status) => summary[status] !== counted[status]).map(
    (status) => `summary.${status} is ${summary[status]}, but ${counted[status]} controls have this status`,
  );
}

/** Who says so is said once each, and of every control but those that are not assessed. */
function attesterProblems({ v, controls }: CompliancePackage): string[] {
  if (v === EARLIER_PACKAGE_VERSION) return [];
  return controls.flatMap(({ status, attested_by }, index) => {
    const isSaid = attested_by.length > 0 && new Set(attested_by).size === attested_by.length;
    return (status === 'not_assessed' ? attested_by.length === 0 : isSaid)
      ? []
      : [`controls[${index}].attested_by does not fit the status ${status}`];
  });
}

/**
 * Each assessor is named once, with at least one assessment, and is not the subject. What a control counts of
 * assessors is of their assessments and of days of the period.
 */
function assessorProblems({ v, kind, assessors, controls, period, subject }: CompliancePackage): string[] {
  if (v === EARLIER_PACKAGE_VERSION) return [];
  const ids = assessors.map(({ subject_commitment }) => subject_commitment);
  const isSubject = (id: string): boolean => subject.type === 'agent' && subject.subject_commitment === id;
  const wrong = assessors.flatMap(({ assessments }, index) => {
    const id = ids[index] ?? '';
    const isWrong = ids.indexOf(id) < index || assessments === 0 || isSubject(id);
    return isWrong ? [`assessors[${index}] is named twice, has no assessment, or is the subject`] : [];
  });
  const all = assessors.reduce((sum, { assessments }) => sum + assessments, 0);
  const { days } = daysOf(period);
  const counted = controls.flatMap(({ counts, assessments }, index) => {
    const { assessor_pass = 0, assessor_fail = 0, assessor_days = 0 } = counts;
    const fits = assessor_pass + assessor_fail <= all && assessor_days <= (assessor_pass === 0 ? 0 : days);
    // The set of an audit package has its assessments.
    const set = kind === 'assessment' && assessor_pass + assessor_fail > 0 ? ASSESSMENTS_SET : undefined;
    return [
      ...(fits ? [] : [`controls[${index}].counts of assessors are more than their assessments allow`]),
      ...(set === assessments?.set ? [] : [`controls[${index}].assessments is not ${set ?? 'null'}`]),
    ];
  });
  return [...wrong, ...counted];
}

/**
 * A control that is satisfied cites a set with at least one entry, and what a control says of its set is what
 * the set says.
 */
function controlProblems({ controls, reference_sets }: CompliancePackage): string[] {
  return controls.flatMap(({ status, references, assessments }, index) => {
    const path = `controls[${index}]`;
    const problems = citedProblems(reference_sets, references, `${path}.references`);
    if (status === 'satisfied' && references === null)
      problems.push(`${path}.status is satisfied, but ${path}.references is null`);
    if (status === 'satisfied' && references?.count === 0)
      problems.push(`${path}.status is satisfied, but ${path}.references.count is 0`);
    return [...problems, ...citedProblems(reference_sets, assessments, `${path}.assessments`)];
  });
}

function citedProblems(
  sets: CompliancePackage['reference_sets'],
  cited: CitedSet | null,
  path: string,
): string[] {
  if (cited === null) return [];
  const at = sets.findIndex(({ name }) => name === cited.set);
  const set = sets[at];
  if (set === undefined) return [`${path}.set is not the name of one of the reference_sets`];
  return [
    ...(cited.count === set.count ? [] : [`${path}.count is not reference_sets[${at}].count`]),
    ...(cited.merkle_root === set.merkle_root
      ? []
      : [`${path}.merkle_root is not reference_sets[${at}].merkle_root`]),
  ];
}

/** Each log has one checkpoint, in the order of LOG_NAMES, and all logs are of one installation. */
function checkpointProblems({ checkpoints }: CompliancePackage): string[] {
  const problems: string[] = [];
  const [first] = checkpoints;
  for (const [index, { log, origin }] of checkpoints.entries()) {
    const path = `checkpoints[${index}]`;
    const before = checkpoints[index - 1];
    if (before !== undefined && LOG_NAMES.indexOf(before.log) >= LOG_NAMES.indexOf(log))
      problems.push(`${path}.log is not after that of the checkpoint before it`);
    if (!isOriginOf(origin, log)) problems.push(`${path}.origin is not that of a log of ${log}`);
    else if (first !== undefined && commonOf({ origin, name: log }) !== installation(first))
      problems.push(`${path}.origin is of another installation than that of checkpoints[0]`);
  }
  return problems;
}

function installation({ origin, log }: CompliancePackage['checkpoints'][number]): string {
  return commonOf({ origin, name: log });
}
