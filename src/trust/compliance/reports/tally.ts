import type { CitedSet, PackageControl } from '../../../proof/package/format.ts';
import type { Framework } from '../../../proof/package/frameworks/mapping.ts';
import { auditStatus } from '../../../proof/package/rules.ts';
import type { Confirmations } from '../packages/confirmations.ts';
import type { Report, ReportStatus } from '../packages/report.ts';

/**
 * How many controls that the framework does not list are counted: reports choose them, and they use memory.
 */
const MOST_OTHER_CONTROLS = 1000;

interface ControlTally {
  counts: Record<ReportStatus, number>;
  /** The reports that pass it and name no evidence. */
  withoutEvidence: number;
  /** What the newest report that assesses the control says, and of which period. */
  newest: { status: ReportStatus; at: string; period: Report['period'] } | null;
}

/** Counts what reports say about the controls of a framework. */
export class ReportTally {
  readonly #framework: Framework;
  readonly #controls: ReadonlyMap<string, ControlTally>;
  readonly #otherControls = new Set<string>();

  constructor(framework: Framework) {
    this.#framework = framework;
    this.#controls = new Map(framework.controls.map(({ id }) => [id, emptyTally()]));
  }

  /** Adds a report that was anchored at a time. The newest report is added first. */
  add(report: Report, anchoredAt: string): void {
    for (const [id, status] of report.statuses) {
      const control = this.#controls.get(id);
      if (control === undefined) {
        if (this.#otherControls.size < MOST_OTHER_CONTROLS) this.#otherControls.add(id);
        continue;
      }
      control.counts[status]++;
      if (status === 'pass' && report.withoutEvidence.has(id)) control.withoutEvidence++;
      if (status !== 'not_applicable') control.newest ??= { status, at: anchoredAt, period: report.period };
    }
  }

  /** The number of controls that reports name and the framework does not list, at most 1,000. */
  get otherControls(): number {
    return this.#otherControls.size;
  }

  /**
   * Returns the controls of the package.
   * @param set the set of all reports and assessments
   * @param confirmations what listed assessors say
   */
  controls(
    set: CitedSet,
    facts: { framework: string; period: { from: string; to: string } },
    confirmations: Confirmations,
  ): PackageControl[] {
    return this.#framework.controls.map(({ id, title, not_shown, to_add }) => {
      const { counts, newest, withoutEvidence } = this.#controls.get(id) ?? emptyTally();
      const { pass, fail, not_applicable } = counts;
      const assessed = confirmations.of(id);
      const given = auditStatus({ ...counts, ...assessed }, facts);
      return {
        id,
        title,
        ...given,
        statement: `${statementOf(counts, newest, withoutEvidence)}${assessorsIn(assessed)}${confirmations
          .said(id)
          .map((sentence) => ` ${sentence}`)
          .join('')}`,
        not_shown,
        to_add: to_add ?? null,
        counts: {
          reports: pass + fail,
          pass,
          fail,
          not_applicable,
          ...assessed,
          pass_without_evidence: withoutEvidence,
        },
        references: given.status === 'not_assessed' ? null : set,
        assessments: null,
      };
    });
  }
}

const emptyTally = (): ControlTally => ({
  counts: { pass: 0, fail: 0, not_applicable: 0 },
  withoutEvidence: 0,
  newest: null,
});

function statementOf(
  { pass, fail, not_applicable }: ControlTally['counts'],
  newest: ControlTally['newest'],
  withoutEvidence: number,
): string {
  if (newest === null) {
    return not_applicable === 0
      ? 'No report assesses it.'
      : `No report assesses it. Reports that call it not applicable: ${not_applicable}.`;
  }
  const { status, at, period } = newest;
  const about =
    period === null
      ? 'which gives no period'
      : `about ${period.from.slice(0, 10)} to ${period.to.slice(0, 10)}`;
  const bare = withoutEvidence === 0 ? '' : ` Passes without evidence: ${withoutEvidence}.`;
  return (
    `The agent signed ${reports(pass + fail)}: ${pass} pass, ${fail} fail.${bare} ` +
    `The newest, of ${at.slice(0, 10)}, ${about}, says ${status}.`
  );
}

/** Says what listed assessors found; nothing if none assessed the control. */
function assessorsIn({
  assessor_pass,
  assessor_fail,
  assessor_days,
}: ReturnType<Confirmations['of']>): string {
  if (assessor_pass + assessor_fail === 0) return '';
  return ` Listed assessors: ${assessor_pass} pass, of ${assessor_days} days of the period, and ${assessor_fail} fail.`;
}

const reports = (count: number): string => (count === 1 ? '1 report' : `${count} reports`);
