import { describe, expect, test } from 'bun:test';
import { emptyReport, type Report } from '../../../../src/staffing/imports/report.ts';
import { progressText, reportText, statusText } from '../../../../src/staffing/imports/report-text.ts';
import { CLINICAL_GROUPINGS } from '../../../../src/staffing/nppes/groupings.ts';

const report: Report = {
  ...emptyReport(null, '2026-03-09T10:00:00.000Z'),
  kind: 'weekly',
  outcome: 'done',
  seconds: 1.5,
  registry: '2026-03-08-abc.db',
  as_of: '2026-03-15',
  previous_as_of: '2026-03-08',
  previous_records: 3_000_000,
  records: 3_000_400,
  added: 510,
  updated: 1380,
  removed: 110,
  unchanged: 0,
  groupings: ['Nursing Service Providers', 'Dental Providers'],
  rows: { read: 2001, clinicians: 1890, organizations: 0, deactivated: 110, other_groupings: 0, bad: 1 },
  left_out: { duplicates: 0, refused: 2, deactivated: 0, suppressed: 1 },
  bad_rows: {
    by_reason: { 'is not UTF-8': 1 },
    examples: [
      { line: 12, npi: null, field: 'Provider First Name', reason: 'is not UTF-8' },
      { line: null, npi: '2000000002', field: null, reason: 'has a \u001b[31mcolor' },
    ],
  },
  warnings: ['the weekly file is 21 days newer than the registry'],
};

describe('the text of a report', () => {
  test('says what was read, what changed and what is bad, without characters for the terminal', () => {
    expect(reportText(report)).toBe(
      [
        'weekly file: 2026-03-08-abc.db has 3,000,400 clinicians as of 2026-03-15, 1.5 s',
        '  before: 3,000,000 clinicians as of 2026-03-08',
        '  510 added, 1,380 updated, 110 removed, 0 unchanged',
        '  read 2,001 rows: 1,890 clinicians, 110 deactivated, 1 bad',
        '  left out: 2 refused, 1 suppressed',
        '  groupings: Nursing Service Providers; Dental Providers',
        '  line 12: Provider First Name is not UTF-8',
        '  NPI 2000000002: has a \\u001b[31mcolor',
        '  warning: the weekly file is 21 days newer than the registry',
        '',
      ].join('\n'),
    );
  });

  test('names the clinical groupings in one word', () => {
    const groupings = [...CLINICAL_GROUPINGS].reverse();
    expect(reportText({ ...report, groupings })).toContain('  groupings: clinical\n');
    expect(reportText({ ...report, groupings: groupings.slice(1) })).not.toContain('clinical');
  });

  test('names five bad rows and where more are', () => {
    const [row] = report.bad_rows.examples;
    const examples = Array.from({ length: 7 }, () => row ?? fail());
    const text = reportText({ ...report, bad_rows: { by_reason: {}, examples } });
    expect(text.match(/line 12/g)).toHaveLength(5);
    expect(text).toContain('registry status --json');
  });

  test('counts the fields that were left empty by reason, and names five of them', () => {
    const row = { line: 7, npi: '2000000002', field: 'Provider First Name', reason: 'is not UTF-8' };
    const lost_fields = {
      count: 1072,
      by_reason: { 'is not UTF-8': 1071, 'is not a state': 1 },
      examples: Array.from({ length: 6 }, () => row),
    };
    const text = reportText({ ...report, lost_fields });
    expect(text).toContain('  fields left empty: 1,072 (1,071 is not UTF-8, 1 is not a state)\n');
    expect(text.match(/ {2}line 7: Provider First Name is not UTF-8\n/g)).toHaveLength(5);
    expect(text).toContain('registry status --json');
  });

  test('of an import without effect says that the registry is unchanged', () => {
    expect(reportText({ ...report, outcome: 'refused' })).toStartWith(
      'weekly file: refused, the registry is unchanged\n',
    );
  });

  test('of a file without rows says so', () => {
    const rows = { read: 0, clinicians: 0, organizations: 0, deactivated: 0, other_groupings: 0, bad: 0 };
    expect(reportText({ ...report, rows })).toContain('  read 0 rows\n');
  });

  test('of an interrupted import does not say what the registry is', () => {
    expect(reportText({ ...report, outcome: 'interrupted' })).toStartWith('weekly file: interrupted\n');
  });
});

const running = { step: 'reading', rows: 1000, share: 0.25, seconds: 2 };

test('the line of a running import has the bar, rows, their rate, the time left and the step', () => {
  expect(progressText(running, 2000)).toBe(
    '[######------------------]  25 %  1,000 rows  500/s  6 s left  reading',
  );
});

describe('the status of the registry', () => {
  const file = { name: '2026-03-08-abc.db', as_of: '2026-03-15', records: 3, sample: true };

  test('shows the files, the report of deactivations, the running import and the last one', () => {
    const text = statusText({
      current: file,
      former: null,
      deactivations_as_of: '2026-03-09',
      running,
      last_import: { ...report, outcome: 'refused', problem: 'it is old', hint: 'take a newer one' },
    });
    expect(text).toContain('Registry       2026-03-08-abc.db, 3 clinicians as of 2026-03-15 (fictitious)\n');
    expect(text).toContain('Former         none\n');
    expect(text).toContain('report as of 2026-03-09');
    expect(text).toContain('25 %');
    expect(text).toContain('Last import, 2026-03-09T10:00:00.000Z\nweekly file: refused');
    expect(text).toEndWith('  it is old\n  take a newer one\n');
  });

  test('before the first import shows the registry only', () => {
    const none = { former: null, deactivations_as_of: null, running: null, last_import: null };
    expect(statusText({ current: { ...file, sample: false }, ...none })).toBe(
      'Registry       2026-03-08-abc.db, 3 clinicians as of 2026-03-15\nFormer         none\nDeactivations  none imported\nImport         none is running\n',
    );
  });
});

function fail(): never {
  throw new Error('there is no row');
}
