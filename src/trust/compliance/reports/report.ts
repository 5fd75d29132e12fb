import { isJsonObject, type JsonObject } from '../../../proof/encoding/json.ts';

/**
 * The statuses of a control in a compliance_report. If a report gives several, the first in this list counts.
 */
export const REPORT_STATUSES = ['fail', 'pass', 'not_applicable'] as const;
export type ReportStatus = (typeof REPORT_STATUSES)[number];

/** What a report says about controls, by their id. */
export type Report = ReadonlyMap<string, ReportStatus>;

/**
 * Reads a payload of the type compliance_report. A control that it lists several times has failed if one of
 * them says so, else passed if one says so.
 * @returns null for a report of another framework
 */
export function reportOf({ framework, controls }: JsonObject, frameworkId: string): Report | null {
  if (framework !== frameworkId || !Array.isArray(controls)) return null;
  const statuses = new Map<string, ReportStatus>();
  for (const control of controls) {
    if (!isJsonObject(control) || typeof control.id !== 'string') continue;
    const status = REPORT_STATUSES.find((one) => one === control.status);
    const earlier = statuses.get(control.id);
    if (status !== undefined && (earlier === undefined || rankOf(status) < rankOf(earlier))) {
      statuses.set(control.id, status);
    }
  }
  return statuses;
}

const rankOf = (status: ReportStatus): number => REPORT_STATUSES.indexOf(status);
