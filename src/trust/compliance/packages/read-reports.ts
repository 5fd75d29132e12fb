import type { Snapshot } from '../../../platform/store/transaction.ts';
import { isJsonObject, parseCanonicalJson } from '../../../proof/encoding/json.ts';
import { newestPayloadsIn } from '../../evidence/newest-payloads.ts';
import { type Report, reportOf } from './report.ts';

/** The most reports that a package reads, of all frameworks, and the most characters of their payloads. */
const MOST_REPORTS = 5000;
const MOST_CHARACTERS = 32 * 2 ** 20;

/** A report of an agent, with the index of its leaf in the log of evidence. */
export interface LoggedReport {
  report: Report;
  leafIndex: number;
  /** RFC 3339. */
  anchoredAt: string;
}

/** The reports of an agent for a framework that are about a part of a period, the newest first. */
export interface ReadReports {
  reports: LoggedReport[];
  /** How many reports were read, of all frameworks; null if these are all. */
  onlyNewest: number | null;
}

/**
 * Reads the reports of an agent.
 * @param treeSize of the log of evidence: later leaves are left out
 * @param most how many reports it reads, of all frameworks, the newest first
 */
export async function reportsOf(
  snapshot: Snapshot,
  { agentSeq, framework, period, treeSize }: ReportQuery,
  most = MOST_REPORTS,
): Promise<ReadReports> {
  const reports: LoggedReport[] = [];
  let read = 0;
  let characters = 0;
  for await (const { leafIndex, anchoredAt, payload } of newestPayloadsIn(snapshot, {
    agentSeq,
    sourceType: 'compliance_report',
    // A report about the period can be anchored after it; the tree has those of before the package.
    period: { from: period.from, to: END_OF_TIME },
    treeSize,
  })) {
    if (read === most || characters > MOST_CHARACTERS) return { reports, onlyNewest: read };
    read++;
    characters += payload.length;
    const parsed = parseCanonicalJson(payload);
    const report = isJsonObject(parsed) ? reportOf(parsed, framework) : null;
    if (report !== null && isAbout(report, anchoredAt, period))
      reports.push({ report, leafIndex, anchoredAt });
  }
  return { reports, onlyNewest: null };
}

/** Which reports are read. The period is RFC 3339 in UTC with milliseconds; from inclusive, to exclusive. */
interface ReportQuery {
  agentSeq: number;
  framework: string;
  period: { from: string; to: string };
  treeSize: number;
}

/** Whether a report counts: by its own period, else by the time when it was anchored. */
function isAbout({ period }: Report, anchoredAt: string, { from, to }: ReportQuery['period']): boolean {
  const about = period ?? { from: anchoredAt, to: anchoredAt };
  return about.from < to && about.to >= from && (period === null || about.to > from);
}

const END_OF_TIME = '9999-12-31T23:59:59.999Z';

/** Says that older reports were not read. */
export const onlyNewestSentence = (read: number): string =>
  `Only the newest ${read} compliance reports of the period were read.`;
