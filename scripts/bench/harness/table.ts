import type { Benchmark } from './benchmark.ts';
import { metricResults } from './page.ts';
import type { Run } from './results.ts';

const HEAD = ['benchmark', 'metric', 'measured', 'goal', 'result'];

/**
 * Formats the runs and goals as a table for the terminal, followed by a line for each missed goal and each
 * failure.
 */
export function tableOf(runs: readonly Run[], benchmarks: readonly Benchmark[]): string {
  const judgedRuns = runs.flatMap((run) => {
    const benchmark = benchmarks.find(({ name }) => name === run.benchmark);
    return benchmark === undefined ? [] : [{ run, results: metricResults(benchmark, run) }];
  });
  const rows = judgedRuns.flatMap(({ run, results }) =>
    run.failure !== null
      ? [[run.benchmark, '', '', '', 'FAILED']]
      : results.map(({ label, measured, goal, verdict }) => [
          run.benchmark,
          label,
          measured,
          goal,
          verdict === 'missed' ? 'MISSED' : verdict,
        ]),
  );
  const missed = judgedRuns.flatMap(({ run, results }) =>
    results
      .filter(({ verdict }) => verdict === 'missed')
      .map(({ label, measured, goal }) => `missed: ${run.benchmark}, ${label}: ${measured}, goal ${goal}`),
  );
  const failed = runs.flatMap(({ benchmark, failure }) =>
    failure === null ? [] : `failed: ${benchmark}: ${failure}`,
  );
  return [...aligned([HEAD, ...rows]), '', ...missed, ...failed].join('\n').trimEnd();
}

function aligned(rows: readonly string[][]): string[] {
  const widths = HEAD.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}
