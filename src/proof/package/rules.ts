import { earlierAuditStatus, earlierRuleOf, earlierStatusOf } from './earlier-rules.ts';
import type { Attester, CompliancePackage, PackageControl } from './format.ts';
import { EARLIER_PACKAGE_VERSION } from './format.ts';
import { FRAMEWORKS } from './frameworks/catalogue.ts';
import { FRAMEWORK_IDS } from './frameworks/framework-ids.ts';
import { isConfirmed, isLongEnough, type Mapping, type PeriodFacts, statusOf } from './frameworks/mapping.ts';
import { OWN_COUNTS } from './frameworks/vocabulary.ts';

/** Whether the statuses of a package follow from its counts. */
export interface RuleCheck {
  /** One sentence for each contradiction. */
  problems: string[];
  /** How many controls have no rule that is known here: those of other frameworks and editions. */
  unknown: number;
}

/** What a rule gives: a status, and in packages of this version who says so. */
type Given = Pick<PackageControl, 'status'> & Partial<Pick<PackageControl, 'attested_by'>>;

/** What assesses a control; null if nothing does, undefined if it is not known. */
type KnownRule = RuleOfControl | null | undefined;

interface RuleOfControl {
  /** The set that it is about. */
  set: string;
  /** The counts that the control must have. */
  counts: readonly string[];
  give(control: PackageControl, references: number): Given;
}

/** A control with its position in the package and what assesses it. */
interface RuledControl {
  control: PackageControl;
  path: string;
  rule: RuleOfControl;
}

/**
 * Counts that cannot be more than another one. A rule that counts differently must be that of another
 * framework or control, so that packages of today stay consistent.
 */
const PARTS: Readonly<Record<string, readonly string[]>> = {
  actions: ['receipts', 'evidence'],
  receipts: [
    ...['receipts_success', 'receipts_refused', 'receipts_terminated', 'receipts_null'],
    ...['receipts_failed', 'receipts_timed_out', 'receipts_linked', 'receipts_revoked'],
  ],
  evidence: ['evidence_failed', 'changes', 'traces', 'reports', 'deliverables'],
  receipts_open: ['receipts_overdue'],
  checkpoints: ['checkpoints_cosigned'],
  key_events: ['keys_compromised'],
  telemetry: ['hardware_measured', 'declared', 'energy'],
  energy: ['energy_hardware_measured', 'facility_energy', 'carbon_intensity', 'renewable_energy'],
};

/**
 * Checks that the status of each control follows from the counts that the package shows, by the rule of its
 * framework, and that the counts agree with each other and with the sizes of the sets.
 */
export function checkRules(read: CompliancePackage): RuleCheck {
  if (read.kind === 'audit') {
    const problems = [...read.controls.flatMap(auditProblems(read)), ...countProblems([], read)];
    return { problems, unknown: 0 };
  }
  const ruled: RuledControl[] = [];
  const problems: string[] = [];
  let unknown = 0;
  for (const [index, control] of read.controls.entries()) {
    const rule = ruleOf(read, control.id);
    const path = `controls[${index}]`;
    if (rule === undefined) unknown++;
    else if (rule !== null) ruled.push({ control, path, rule });
    else if (control.status !== 'not_assessed')
      problems.push(`${path}.status is ${control.status}, but nothing assesses this control`);
  }
  return {
    problems: [
      ...problems,
      ...ruled.flatMap((one) => statusProblems(read, one)),
      ...countProblems(ruled, read),
    ],
    unknown,
  };
}

/** Returns what assesses a control in packages of this kind and version. */
function ruleOf(read: CompliancePackage, id: string): KnownRule {
  if (read.v === EARLIER_PACKAGE_VERSION) {
    const rule = earlierRuleOf(read, id);
    return rule && { ...rule, give: ({ counts }, size) => ({ status: earlierStatusOf(rule, counts, size) }) };
  }
  const mapping = mappingOf(read, id);
  return (
    mapping && {
      set: mapping.set,
      counts: mapping.counts,
      give: ({ counts }, size) => statusOf(mapping.rule, counts, size, read),
    }
  );
}

function mappingOf(
  { framework, kind }: CompliancePackage,
  id: string,
): Mapping<string, string> | null | undefined {
  const name = FRAMEWORK_IDS.find((one) => one === framework);
  const control = name && FRAMEWORKS[name].controls.find((one) => one.id === id);
  if (control === undefined || name === undefined || !FRAMEWORKS[name].kinds.includes(kind)) return undefined;
  return kind === 'datacenter' ? control.cluster : control.agent;
}

/** Compares a control with what its rule gives. */
function statusProblems(read: CompliancePackage, { control, path, rule }: RuledControl): string[] {
  const { counts, references } = control;
  const missing = rule.counts.filter((name) => !Object.hasOwn(counts, name));
  if (missing.length > 0) return missing.map((name) => `${path}.counts.${name} is missing`);
  if (references !== null && references.set !== rule.set)
    return [`${path}.references.set is not ${rule.set}, which its rule is about`];
  return givenProblems(
    control,
    path,
    rule.give(control, sizeOf(read, rule.set)),
    ' by the rule of its framework',
  );
}

/** Compares the status of a control, and who says so, with what a rule gives. */
function givenProblems(control: PackageControl, path: string, given: Given, by = ''): string[] {
  const problems: string[] = [];
  if (control.status !== given.status)
    problems.push(`${path}.status is ${control.status}, but its counts give ${given.status}${by}`);
  const who = given.attested_by;
  if (who !== undefined && who.join() !== control.attested_by.join())
    problems.push(`${path}.attested_by is not [${who.join(', ')}], which its counts give`);
  return problems;
}

/**
 * Compares the counts of all controls with each other, with those of the package, and with the sets and the
 * coverage that have the same name.
 */
function countProblems(ruled: readonly RuledControl[], read: CompliancePackage): string[] {
  const first = new Map<string, { value: number; path: string }>();
  const problems: string[] = [];
  const compare = (name: string, value: number, path: string): void => {
    const known = first.get(name);
    if (known === undefined) first.set(name, { value, path });
    else if (known.value !== value) problems.push(`${path} is ${value}, but ${known.path} is ${known.value}`);
  };
  for (const { control, path, rule } of ruled) {
    for (const name of rule.counts.filter((one) => !OWN_COUNTS.some((own) => own === one))) {
      const value = control.counts[name];
      if (value !== undefined) compare(name, value, `${path}.counts.${name}`);
    }
  }
  for (const [name, value] of Object.entries(read.records)) compare(name, value, `records.${name}`);
  for (const [index, { records, count, record_days }] of read.coverage.entries()) {
    compare(records, count, `coverage[${index}].count`);
    if (records === 'receipts') compare('receipt_days', record_days, `coverage[${index}].record_days`);
  }
  for (const [index, { name, count }] of read.reference_sets.entries()) {
    const counted = first.get(name);
    if (counted !== undefined && counted.value !== count)
      problems.push(`${counted.path} is ${counted.value}, but reference_sets[${index}].count is ${count}`);
  }
  for (const [whole, parts] of Object.entries(PARTS)) {
    const most = first.get(whole);
    for (const part of parts.flatMap((name) => first.get(name) ?? [])) {
      if (most !== undefined && part.value > most.value)
        problems.push(`${part.path} is ${part.value}, more than ${most.path}, which is ${most.value}`);
    }
  }
  return problems;
}

function sizeOf({ reference_sets }: CompliancePackage, set: string): number {
  return reference_sets.find(({ name }) => name === set)?.count ?? 0;
}

/** What reports and assessments say of a control, as an audit package counts them. */
export interface AuditCounts {
  /** Reports of the agent or its sponsor. A report that calls a control not applicable does not assess it. */
  pass: number;
  fail: number;
  /** Assessments of listed assessors, and the UTC days that those which say pass with evidence are of. */
  assessor_pass: number;
  assessor_fail: number;
  assessor_days: number;
}

/**
 * Returns the status of a control in an audit package, and who says so. It is satisfied if assessors confirm
 * it for a period that is long enough and no report says fail, partial if an assessor says pass with evidence
 * otherwise, and else only reported.
 */
export function auditStatus(
  counts: AuditCounts,
  facts: Pick<PeriodFacts, 'framework' | 'period'>,
): Pick<PackageControl, 'status' | 'attested_by'> {
  const { pass, fail, assessor_pass, assessor_fail, assessor_days } = counts;
  const attested_by: Attester[] = [
    ...(pass + fail > 0 ? (['self'] as const) : []),
    ...(assessor_pass + assessor_fail > 0 ? (['assessor'] as const) : []),
  ];
  if (attested_by.length === 0) return { status: 'not_assessed', attested_by };
  if (assessor_pass === 0 || assessor_days === 0) return { status: 'reported', attested_by };
  const isSatisfied = fail === 0 && isConfirmed({ ...counts }, facts) && isLongEnough(facts);
  return { status: isSatisfied ? 'satisfied' : 'partial', attested_by };
}

/** Returns a function that compares a control with what reports say of it, as far as it counts them. */
function auditProblems(read: CompliancePackage) {
  const isEarlier = read.v === EARLIER_PACKAGE_VERSION;
  return (control: PackageControl, index: number): string[] => {
    const { counts, references } = control;
    const path = `controls[${index}]`;
    const { reports, pass, fail, not_applicable } = counts;
    if (reports === undefined || pass === undefined || fail === undefined || not_applicable === undefined)
      return [`${path}.counts has not reports, pass, fail and not_applicable`];
    const { assessor_pass, assessor_fail, assessor_days } = counts;
    const isOfAssessors =
      assessor_pass !== undefined && assessor_fail !== undefined && assessor_days !== undefined;
    if (!isEarlier && !isOfAssessors)
      return [`${path}.counts has not assessor_pass, assessor_fail and assessor_days`];
    const given: Given =
      isOfAssessors && !isEarlier
        ? auditStatus({ pass, fail, assessor_pass, assessor_fail, assessor_days }, read)
        : { status: earlierAuditStatus({ pass, fail }) };
    const problems = givenProblems(control, path, given);
    if (reports !== pass + fail) problems.push(`${path}.counts.reports is not pass and fail together`);
    const size = references === null ? null : sizeOf(read, references.set);
    if (size !== null && pass + fail + not_applicable > size)
      problems.push(`${path}.counts are of more reports than the set ${references?.set} has`);
    return problems;
  };
}
