import type { LoggedReport } from '../packages/read-reports.ts';

/** What reports of an agent say of one control. */
export interface OwnReports {
  counts: { own_reports: number; own_fails: number };
  /** The indexes of their leaves in the log of evidence, ascending. */
  leaves: number[];
  /** What the package says of those that say fail, one sentence each. */
  said: string[];
}

/** Returns a function that counts the reports that assess a control. @param reports the newest first */
export function ownReportsOf(reports: readonly LoggedReport[]): (control: string) => OwnReports {
  return (control) => {
    const statusOf = ({ report }: LoggedReport) => report.statuses.get(control) ?? 'not_applicable';
    const own = reports.filter((one) => statusOf(one) !== 'not_applicable');
    const fails = own.filter((one) => statusOf(one) === 'fail');
    const [newest] = fails;
    return {
      counts: { own_reports: own.length, own_fails: fails.length },
      leaves: own.map(({ leafIndex }) => leafIndex).sort((one, other) => one - other),
      said:
        newest === undefined ? [] : [`A report of the agent of ${newest.anchoredAt.slice(0, 10)} says fail.`],
    };
  };
}
