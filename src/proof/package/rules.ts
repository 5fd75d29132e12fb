import type { CompliancePackage, ControlStatus, PackageControl } from './format.ts';
import { FRAMEWORKS } from './frameworks/catalogue.ts';
import { FRAMEWORK_IDS } from './frameworks/framework-ids.ts';
import { type Mapping, statusOf } from './frameworks/mapping.ts';

/** Whether the statuses of a package follow from its counts. */
export interface RuleCheck {
  /** One sentence for each contradiction. */
  problems: string[];
  /** How many controls have no rule that is known here: those of other frameworks and editions. */
  unknown: number;
}

/** What assesses a control; null if nothing does, undefined if it is not known. */
type KnownMapping = Mapping<string, string> | null | undefined;

/** A control with its position in the package and what assesses it. */
interface RuledControl {
  control: PackageControl;
  path: string;
  mapping: Mapping<string, string>;
}

/**
 * Counts that cannot be more than another one. A rule that counts differently must be that of another
 * framework or control, so that packages of today stay consistent.
 */
const PARTS: Readonly<Record<string, readonly string[]>> = {
  actions: ['receipts', 'evidence'],
  receipts: [
    ...['receipts_success', 'receipts_refused', 'receipts_terminated', 'receipts_null'],
    ...['receipts_failed', 'receipts_timed_out', 'receipts_linked'],
  ],
  evidence: ['evidence_failed', 'changes', 'traces', 'reports', 'deliverables'],
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
  if (read.kind === 'audit') return { problems: read.controls.flatMap(auditProblems(read)), unknown: 0 };
  const ruled: RuledControl[] = [];
  const problems: string[] = [];
  let unknown = 0;
  for (const [index, control] of read.controls.entries()) {
    const mapping = mappingOf(read, control.id);
    const path = `controls[${index}]`;
    if (mapping === undefined) unknown++;
    else if (mapping !== null) ruled.push({ control, path, mapping });
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

/** Returns what assesses a control in packages of this kind. */
function mappingOf({ framework, kind }: CompliancePackage, id: string): KnownMapping {
  const name = FRAMEWORK_IDS.find((one) => one === framework);
  const control = name && FRAMEWORKS[name].controls.find((one) => one.id === id);
  if (control === undefined || name === undefined || !FRAMEWORKS[name].kinds.includes(kind)) return undefined;
  return kind === 'datacenter' ? control.cluster : control.agent;
}

/** Compares a control with what its rule gives. */
function statusProblems(read: CompliancePackage, { control, path, mapping }: RuledControl): string[] {
  const { status, counts, references } = control;
  const missing = mapping.counts.filter((name) => !Object.hasOwn(counts, name));
  if (missing.length > 0) return missing.map((name) => `${path}.counts.${name} is missing`);
  if (references !== null && references.set !== mapping.set)
    return [`${path}.references.set is not ${mapping.set}, which its rule is about`];
  const expected = statusOf(mapping.rule, counts, sizeOf(read, mapping.set));
  return status === expected
    ? []
    : [`${path}.status is ${status}, but its counts give ${expected} by the rule of its framework`];
}

/** Compares the counts of all controls with each other, and with the sets that have the same name. */
function countProblems(ruled: readonly RuledControl[], read: CompliancePackage): string[] {
  const first = new Map<string, { value: number; path: string }>();
  const problems: string[] = [];
  for (const { control, path, mapping } of ruled) {
    for (const name of mapping.counts) {
      const value = control.counts[name];
      if (value === undefined) continue;
      const known = first.get(name);
      if (known === undefined) first.set(name, { value, path: `${path}.counts.${name}` });
      else if (known.value !== value)
        problems.push(`${path}.counts.${name} is ${value}, but ${known.path} is ${known.value}`);
    }
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

/**
 * Returns the status that reports give to a control. A report that calls it not applicable does not assess
 * it.
 */
export function auditStatus({ pass, fail }: { pass: number; fail: number }): ControlStatus {
  if (fail > 0) return 'partial';
  return pass > 0 ? 'satisfied' : 'not_assessed';
}

/** Returns a function that compares a control with what reports say of it, as far as it counts them. */
function auditProblems(read: CompliancePackage) {
  return ({ status, counts, references }: PackageControl, index: number): string[] => {
    const path = `controls[${index}]`;
    const { reports, pass, fail, not_applicable } = counts;
    if (reports === undefined || pass === undefined || fail === undefined || not_applicable === undefined)
      return [`${path}.counts has not reports, pass, fail and not_applicable`];
    const problems: string[] = [];
    const expected = auditStatus({ pass, fail });
    if (status !== expected) problems.push(`${path}.status is ${status}, but its counts give ${expected}`);
    if (reports !== pass + fail) problems.push(`${path}.counts.reports is not pass and fail together`);
    const size = references === null ? null : sizeOf(read, references.set);
    if (size !== null && pass + fail + not_applicable > size)
      problems.push(`${path}.counts are of more reports than the set ${references?.set} has`);
    return problems;
  };
}
