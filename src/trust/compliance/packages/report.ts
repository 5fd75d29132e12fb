import { timestampOf } from '../../../platform/time/timestamp.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../proof/encoding/json.ts';
import { parseTimestamp } from '../../../proof/encoding/timestamp.ts';

/**
 * The statuses of a control in a compliance_report. If a report gives several, the first in this list counts.
 */
export const REPORT_STATUSES = ['fail', 'pass', 'not_applicable'] as const;
export type ReportStatus = (typeof REPORT_STATUSES)[number];

/** What a report says. */
export interface Report {
  /** By the id of the control. */
  statuses: ReadonlyMap<string, ReportStatus>;
  /** The controls that it passes and names no evidence for. */
  withoutEvidence: ReadonlySet<string>;
  /** What it is about, RFC 3339 in UTC with milliseconds; null if it says no period that can be read. */
  period: { from: string; to: string } | null;
}

/**
 * Reads a payload of the type compliance_report. A control that it lists several times has failed if one of
 * them says so, else passed if one says so.
 * @returns null for a report of another framework
 */
export function reportOf({ framework, controls, period }: JsonObject, frameworkId: string): Report | null {
  if (framework !== frameworkId || !Array.isArray(controls)) return null;
  const statuses = new Map<string, ReportStatus>();
  const withoutEvidence = new Set<string>();
  for (const control of controls) {
    if (!isJsonObject(control) || typeof control.id !== 'string') continue;
    const status = REPORT_STATUSES.find((one) => one === control.status);
    const earlier = statuses.get(control.id);
    if (status !== undefined && (earlier === undefined || rankOf(status) < rankOf(earlier))) {
      statuses.set(control.id, status);
    }
    if (status === 'pass' && isEmpty(control.evidence)) withoutEvidence.add(control.id);
  }
  return { statuses, withoutEvidence, period: periodOf(period) };
}

function isEmpty(evidence: JsonValue | undefined): boolean {
  return evidence === undefined || evidence === null || evidence === '' || evidence === false;
}

/** Reads the period of a report: an object with the times `from` and `to`. */
function periodOf(period: JsonValue | undefined): Report['period'] {
  if (period === undefined || !isJsonObject(period)) return null;
  const [from, to] = [period.from, period.to].map((time) =>
    typeof time === 'string' ? parseTimestamp(time) : null,
  );
  if (from == null || to == null || from >= to) return null;
  return { from: timestampOf(from), to: timestampOf(to) };
}

const rankOf = (status: ReportStatus): number => REPORT_STATUSES.indexOf(status);
