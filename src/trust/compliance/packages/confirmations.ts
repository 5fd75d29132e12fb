import { daysOf } from '../../../proof/package/coverage.ts';
import type { PackageAssessor } from '../../../proof/package/format.ts';
import type { AssessorCount } from '../../../proof/package/frameworks/vocabulary.ts';

const DAY_MS = 24 * 3600_000;

type AssessedStatus = 'pass' | 'fail' | 'not_applicable';

/** An assessment that counts in a package: of a listed assessor, for its framework. */
export interface CountedAssessment {
  assessor: string;
  /** The name that the assessor gave itself. */
  name: string | null;
  /** What was assessed, from inclusive, to exclusive; RFC 3339 in UTC with milliseconds. */
  period: { from: string; to: string };
  controls: readonly { id: string; status: AssessedStatus }[];
}

/** What assessors say of one control. */
export type AssessorCounts = Record<AssessorCount, number>;

/** What all assessments of a package say. */
export interface Confirmations {
  assessors: PackageAssessor[];
  /** Returns what they say of a control. */
  of(control: string): AssessorCounts;
}

/**
 * Counts assessments by control. Those whose period does not overlap that of the package do not count. A fail
 * counts unless the same assessor later says pass for all of its period.
 * @param assessments the newest first
 */
export function confirmationsOf(
  assessments: readonly CountedAssessment[],
  period: { from: string; to: string },
): Confirmations {
  const overlapping = assessments.filter((one) => one.period.from < period.to && one.period.to > period.from);
  const byControl = new Map<string, ControlTally>();
  const assessors = new Map<string, PackageAssessor>();
  for (const { assessor, name, period: assessed, controls } of overlapping) {
    const known = assessors.get(assessor);
    if (known !== undefined) known.assessments++;
    else assessors.set(assessor, { subject_commitment: assessor, name, assessments: 1 });
    for (const [id, status] of statusesOf(controls)) {
      const tally = byControl.get(id) ?? new ControlTally(period);
      byControl.set(id, tally);
      tally.add(status, assessor, assessed);
    }
  }
  return {
    assessors: [...assessors.values()].sort((one, other) =>
      one.subject_commitment < other.subject_commitment ? -1 : 1,
    ),
    of: (control) =>
      byControl.get(control)?.counts() ?? { assessor_pass: 0, assessor_fail: 0, assessor_days: 0 },
  };
}

/** Returns the status of each control; of one that is listed twice fail, else pass, counts. */
function statusesOf(controls: CountedAssessment['controls']): Map<string, AssessedStatus> {
  const rank = (status: AssessedStatus): number => ['fail', 'pass', 'not_applicable'].indexOf(status);
  const statuses = new Map<string, AssessedStatus>();
  for (const { id, status } of controls) {
    const earlier = statuses.get(id);
    if (earlier === undefined || rank(status) < rank(earlier)) statuses.set(id, status);
  }
  return statuses;
}

/** What assessments say of one control. They are added from the newest to the oldest. */
class ControlTally {
  private readonly passes: { assessor: string; from: string; to: string }[] = [];
  private fails = 0;
  /** The days of the period that a pass is of. */
  private readonly days: Uint8Array;

  constructor(private readonly period: { from: string; to: string }) {
    this.days = new Uint8Array(daysOf(period).days);
  }

  add(status: AssessedStatus, assessor: string, { from, to }: { from: string; to: string }): void {
    if (status === 'pass') {
      this.passes.push({ assessor, from, to });
      this.mark(from, to);
    } else if (status === 'fail') {
      const isUndone = this.passes.some(
        (pass) => pass.assessor === assessor && pass.from <= from && pass.to >= to,
      );
      if (!isUndone) this.fails++;
    }
  }

  counts(): AssessorCounts {
    const assessor_days = this.days.reduce((sum, isAssessed) => sum + isAssessed, 0);
    return { assessor_pass: this.passes.length, assessor_fail: this.fails, assessor_days };
  }

  /** Marks the days of which a pass has all that is in the period of the package. */
  private mark(from: string, to: string): void {
    const { first, days } = daysOf(this.period);
    const start = from <= this.period.from ? 0 : Math.ceil(Date.parse(from) / DAY_MS) - first;
    const end = to >= this.period.to ? days : Math.floor(Date.parse(to) / DAY_MS) - first;
    if (end > start) this.days.fill(1, Math.max(0, start), end);
  }
}
