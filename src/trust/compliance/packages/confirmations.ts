import { DAY_MS } from '../../../platform/time/units.ts';
import { daysOf } from '../../../proof/package/coverage.ts';
import type { PackageAssessor } from '../../../proof/package/format.ts';
import type { AssessorCount } from '../../../proof/package/frameworks/vocabulary.ts';

/** What an assessment says of a control. A pass that names no evidence confirms nothing. */
type Finding = 'fail' | 'bare_pass' | 'pass' | 'not_applicable';

/** An assessment that counts in a package: of a listed assessor, for its framework. */
export interface CountedAssessment {
  assessor: string;
  /** The name that the assessor gave itself. */
  name: string | null;
  /** Whether what passes counts. Of others it only undoes earlier failures. */
  confirms: boolean;
  /** What was assessed, from inclusive, to exclusive; RFC 3339 in UTC with milliseconds. */
  period: { from: string; to: string };
  controls: readonly {
    id: string;
    status: Exclude<Finding, 'bare_pass'>;
    /** What the assessor looked at. */
    evidence?: string | readonly string[];
  }[];
}

/** What assessors say of one control. */
export type AssessorCounts = Record<AssessorCount, number>;

/** What all assessments of a package say. */
export interface Confirmations {
  assessors: PackageAssessor[];
  /** Returns what they say of a control. */
  of(control: string): AssessorCounts;
  /** Returns it in words: sentences about the newest ones that count. */
  said(control: string): string[];
}

/**
 * Counts assessments by control. Those whose period does not overlap that of the package do not count. A fail
 * counts unless the same assessor later says pass, with evidence, for all of its period. Only what passes
 * with evidence is of days, and of none before the day on which the agent enrolled: nobody could assess it.
 * @param assessments the newest first
 * @param enrolledAt when the agent enrolled, RFC 3339 in UTC
 */
export function confirmationsOf(
  assessments: readonly CountedAssessment[],
  period: { from: string; to: string },
  enrolledAt: string,
): Confirmations {
  const overlapping = assessments.filter((one) => one.period.from < period.to && one.period.to > period.from);
  const byControl = new Map<string, ControlTally>();
  const assessors = new Map<string, PackageAssessor>();
  for (const { assessor, name, confirms, period: assessed, controls } of overlapping) {
    const known = assessors.get(assessor);
    if (known !== undefined) known.assessments++;
    else assessors.set(assessor, { subject_commitment: assessor, name, assessments: 1 });
    for (const [id, { finding, evidence }] of findingsOf(controls)) {
      const tally = byControl.get(id) ?? new ControlTally(period, enrolledAt);
      byControl.set(id, tally);
      tally.add(finding, { assessor, name, confirms, evidence, ...assessed });
    }
  }
  return {
    assessors: [...assessors.values()].sort((one, other) =>
      one.subject_commitment < other.subject_commitment ? -1 : 1,
    ),
    of: (control) =>
      byControl.get(control)?.counts() ?? { assessor_pass: 0, assessor_fail: 0, assessor_days: 0 },
    said: (control) => byControl.get(control)?.said ?? [],
  };
}

/** What a package says of all assessors. */
export const ASSESSOR_LIMIT =
  'The administrator of the service lists the assessors. The service does not know whether they examined anything.';

/** How many assessments of a control a package repeats, and how much of their evidence. */
const MOST_SAID = 3;
const MOST_CHARACTERS = 200;

/** Says what an assessor signed. Its name and evidence are texts of a stranger, in either direction. */
function sentenceOf(finding: Finding, { assessor, name, evidence, from, to }: Finder): string {
  const isolated = (text: string): string => `\u2068${text}\u2069`;
  const who = `Assessor ${name === null ? '' : `${isolated(name)} `}(${assessor.slice(0, 16)}…)`;
  const characters = [...[evidence ?? []].flat().join('; ')];
  const shown =
    characters.slice(0, MOST_CHARACTERS).join('') + (characters.length > MOST_CHARACTERS ? '…' : '');
  const what = finding === 'fail' ? 'fail' : 'pass';
  const named = shown === '' ? 'it names no evidence' : `evidence, as it wrote it: “${isolated(shown)}”`;
  return `${who} signed ${what} for ${from.slice(0, 10)} to ${to.slice(0, 10)}; ${named}.`;
}

/** What is said of a control, and what the assessor names as its evidence. */
interface Found {
  finding: Finding;
  evidence: CountedAssessment['controls'][number]['evidence'] | undefined;
}

/** Returns what is said of each control; of one that is listed twice the first in this order counts. */
function findingsOf(controls: CountedAssessment['controls']): Map<string, Found> {
  const rank = (finding: Finding): number => ['fail', 'bare_pass', 'pass', 'not_applicable'].indexOf(finding);
  const findings = new Map<string, Found>();
  for (const { id, status, evidence } of controls) {
    const finding = status === 'pass' && !namesEvidence(evidence) ? 'bare_pass' : status;
    const earlier = findings.get(id);
    if (earlier === undefined || rank(finding) < rank(earlier.finding))
      findings.set(id, { finding, evidence });
  }
  return findings;
}

/** Whether the evidence of a control has a letter or a digit. */
export function namesEvidence(evidence: string | readonly string[] = ''): boolean {
  return [evidence].flat().some((text) => /[\p{L}\p{N}]/u.test(text));
}

/** Who found something, and the time that it is about. */
type Finder = Pick<CountedAssessment, 'assessor' | 'name' | 'confirms'> &
  Pick<Found, 'evidence'> & { from: string; to: string };

/** What assessments say of one control. They are added from the newest to the oldest. */
class ControlTally {
  private readonly passed: { assessor: string; from: string; to: string }[] = [];
  /** Sentences about those that count. */
  readonly said: string[] = [];
  private passes = 0;
  private fails = 0;
  /** The days of the period that a pass with evidence is of. */
  private readonly days: Uint8Array;

  constructor(
    private readonly period: { from: string; to: string },
    private readonly enrolledAt: string,
  ) {
    this.days = new Uint8Array(daysOf(period).days);
  }

  add(finding: Finding, finder: Finder): void {
    const { assessor, confirms, from, to } = finder;
    if (confirms && (finding === 'pass' || finding === 'bare_pass')) {
      this.passes++;
      this.say(finding, finder);
    }
    if (finding === 'pass') {
      this.passed.push({ assessor, from, to });
      if (confirms) this.mark(from, to);
    } else if (finding === 'fail') {
      const isUndone = this.passed.some(
        (pass) => pass.assessor === assessor && pass.from <= from && pass.to >= to,
      );
      if (isUndone) return;
      this.fails++;
      this.say(finding, finder);
    }
  }

  private say(finding: Finding, finder: Finder): void {
    if (this.said.length < MOST_SAID) this.said.push(sentenceOf(finding, finder));
  }

  counts(): AssessorCounts {
    const assessor_days = this.days.reduce((sum, isAssessed) => sum + isAssessed, 0);
    return { assessor_pass: this.passes, assessor_fail: this.fails, assessor_days };
  }

  /** Marks the days of which a pass has all that is in the period of the package. */
  private mark(from: string, to: string): void {
    const { first, days } = daysOf(this.period);
    const enrolled = Math.floor(Date.parse(this.enrolledAt) / DAY_MS) - first;
    const start = from <= this.period.from ? 0 : Math.ceil(Date.parse(from) / DAY_MS) - first;
    const end = to >= this.period.to ? days : Math.floor(Date.parse(to) / DAY_MS) - first;
    this.days.fill(1, Math.max(0, start, enrolled), Math.max(0, end));
  }
}
