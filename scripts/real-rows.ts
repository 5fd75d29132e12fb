/**
 * Reads a file of NPPES and prints what its rows are, for trying the reader with real rows. They are of real
 * people, so that no test has them: `bun scripts/real-rows.ts FILE|ZIP`.
 */
import { asFailure } from '../src/platform/failure.ts';
import { readDissemination } from '../src/staffing/nppes/read-dissemination.ts';

const [, , path] = process.argv;
if (path === undefined) {
  process.stderr.write('usage: bun scripts/real-rows.ts FILE|ZIP\n');
  process.exit(2);
}

try {
  const since = performance.now();
  const file = await readDissemination(path, { groupings: null, taxonomy: [] });
  const counts = { rows: 0, individuals: 0, reactivated: 0, organizations: 0, deactivated: 0, bad: 0 };
  const reasons = new Map<string, number>();
  for await (const { rows } of file) {
    for (const row of rows) {
      counts.rows++;
      if (row.kind === 'clinician') {
        counts.individuals++;
        if (row.reactivatedOn !== undefined) counts.reactivated++;
      } else if (row.kind === 'removed') counts.deactivated++;
      else if (row.kind === 'left_out') counts.organizations++;
      else {
        counts.bad++;
        const reason = `${row.field ?? 'row'}: ${row.reason}`;
        reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
      }
    }
  }
  const seconds = (performance.now() - since) / 1000;
  const rate = Math.round(counts.rows / seconds);
  const result = { ...file.facts, ...counts, reasons: Object.fromEntries(reasons), rows_per_second: rate };
  process.stdout.write(`${JSON.stringify(result, null, 2)}\n`);
} catch (error) {
  const { message, hint } = asFailure(error);
  process.stderr.write(`${message}${hint === null ? '' : `: ${hint}`}\n`);
  process.exitCode = 1;
}
