import { printable } from '../../platform/terminal/printable.ts';
import { progressLine } from '../../platform/terminal/progress.ts';
import { groupDigits } from '../../proof/words/group-digits.ts';
import { CLINICAL_GROUPINGS } from '../nppes/groupings.ts';
import type { Report } from './report.ts';
import { READING } from './work.ts';

/** The state of a running import, as its action returns it. */
interface Status {
  step: string;
  rows: number;
  share: number;
  seconds: number;
}

/** Returns the line of a running import: the bar with rows and time, then the step. */
export function progressText({ step, rows, share }: Status, elapsedMs: number): string {
  return `${progressLine('rows', rows, share, elapsedMs, step === READING)}  ${step}`;
}

/** Returns the line of a running import for a log: the share, the rows, the seconds, and the step. */
export function plainProgressText({ step, rows, share, seconds }: Status): string {
  const percent = Math.floor(Math.min(share, 1) * 100);
  return `import: ${percent} %, ${groupDigits(rows)} rows, ${groupDigits(seconds)} s, ${step}`;
}

/** How many bad rows and lost fields the short text names; the report as JSON has up to 100 of each. */
const SHOWN_ROWS = 5;

/** Returns what an import did, for people. */
export function reportText(report: Report): string {
  const lines = [headOf(report), ...detailsOf(report)];
  return `${lines.map((line, index) => (index === 0 ? line : `  ${line}`)).join('\n')}\n`;
}

function headOf({ kind, outcome, registry, as_of, records, seconds }: Report): string {
  const names = {
    full: 'monthly file',
    weekly: 'weekly file',
    deactivations: 'report of deactivations',
    rollback: 'rollback',
  };
  if (outcome === 'interrupted') return `${names[kind]}: interrupted`;
  if (outcome !== 'done') return `${names[kind]}: ${outcome}, the registry is unchanged`;
  return `${names[kind]}: ${registry} has ${count(records)} clinicians as of ${as_of}, ${seconds} s`;
}

function detailsOf(report: Report): string[] {
  const {
    rows,
    left_out: left,
    previous_records,
    previous_as_of,
    warnings,
    bad_rows,
    lost_fields: lost,
  } = report;
  const lines: string[] = [];
  if (previous_records !== null)
    lines.push(`before: ${count(previous_records)} clinicians as of ${previous_as_of}`);
  if (report.added !== null) {
    lines.push(
      listed({
        added: report.added,
        updated: report.updated,
        removed: report.removed,
        unchanged: report.unchanged,
      }),
    );
  }
  if (rows !== null) {
    const { read, ...parts } = rows;
    lines.push(read === 0 ? 'read 0 rows' : `read ${count(read)} rows: ${listed(parts, true)}`);
  }
  const notLoaded = listed(left, true);
  if (notLoaded !== '') lines.push(`left out: ${notLoaded}`);
  if (report.groupings !== null) lines.push(`groupings: ${groupingsText(report.groupings)}`);
  if (lost.count > 0) {
    const reasons = Object.entries(lost.by_reason).map(([reason, number]) => `${count(number)} ${reason}`);
    lines.push(printable(`fields left empty: ${count(lost.count)} (${reasons.join(', ')})`));
  }
  for (const { examples } of [bad_rows, lost]) {
    for (const { line, npi, field, reason } of examples.slice(0, SHOWN_ROWS)) {
      const where = line === null ? `NPI ${npi}` : `line ${line}`;
      lines.push(printable(`${where}: ${field === null ? '' : `${field} `}${reason}`));
    }
  }
  const more = Math.max(bad_rows.examples.length, lost.examples.length) - SHOWN_ROWS;
  if (more > 0) lines.push(`… and more: countersign registry status --json names up to 100`);
  for (const warning of warnings) lines.push(`warning: ${warning}`);
  return lines;
}

function groupingsText(groupings: readonly string[]): string {
  const isClinical =
    groupings.length === CLINICAL_GROUPINGS.length &&
    CLINICAL_GROUPINGS.every((one) => groupings.includes(one));
  return isClinical ? 'clinical' : groupings.join('; ');
}

/** Returns counts with their names, such as `3 added, 1 removed`. @param isShort leaves out zeros */
function listed(counts: Record<string, number | null>, isShort = false): string {
  return Object.entries(counts)
    .filter(([, number]) => number !== null && (!isShort || number > 0))
    .map(([name, number]) => `${count(number)} ${name.replaceAll('_', ' ')}`)
    .join(', ');
}

/** What `registry status` shows. */
interface RegistryStatus {
  current: { name: string; as_of: string | null; records: number | null; sample: boolean | null } | null;
  former: { name: string; as_of: string | null; records: number | null } | null;
  deactivations_as_of: string | null;
  running: Status | null;
  last_import: Report | null;
}

/** Returns the state of the registry, for people. */
export function statusText(status: RegistryStatus): string {
  const { current, former, deactivations_as_of: deactivations, running, last_import: last } = status;
  const file = (of: { name: string; as_of: string | null; records: number | null } | null): string =>
    of === null ? 'none' : `${of.name}, ${count(of.records)} clinicians as of ${of.as_of ?? '-'}`;
  const lines = [
    `Registry       ${file(current)}${current?.sample === true ? ' (fictitious)' : ''}`,
    `Former         ${file(former)}`,
    `Deactivations  ${deactivations === null ? 'none imported' : `report as of ${deactivations}`}`,
    `Import         ${running === null ? 'none is running' : progressText(running, running.seconds * 1000)}`,
  ];
  if (last === null) return `${lines.join('\n')}\n`;
  const { started_at, problem, hint } = last;
  const why =
    problem === null ? '' : `  ${printable(problem)}\n${hint === null ? '' : `  ${printable(hint)}\n`}`;
  return `${lines.join('\n')}\n\nLast import, ${started_at}\n${reportText(last)}${why}`;
}

function count(number: number | null): string {
  return number === null ? '-' : groupDigits(number);
}
