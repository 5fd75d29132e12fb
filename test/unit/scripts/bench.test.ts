import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { commandOf, defineBenchmark } from '../../../scripts/bench/harness/benchmark.ts';
import { BENCHMARKS } from '../../../scripts/bench/harness/catalogue.ts';
import { atLeast, atMost, goalText, verdictOf, withUnit } from '../../../scripts/bench/harness/metric.ts';
import { methodsOf, pageOf } from '../../../scripts/bench/harness/page.ts';
import { busySeconds } from '../../../scripts/bench/harness/quiet.ts';
import {
  parseOutcome,
  parseResults,
  type Results,
  type RunContext,
  runOf,
  withoutRemovedMetrics,
  withRun,
} from '../../../scripts/bench/harness/results.ts';
import { tableOf } from '../../../scripts/bench/harness/table.ts';

const ROOT = join(import.meta.dir, '../../..');
const HERE = '0394fba2c1d0';
const ELSEWHERE = 'e46430a11111';

const issuing = defineBenchmark({
  name: 'issuing',
  capability: 'Receipts',
  about: 'Issues receipts.',
  needs: ['wrk'],
  metrics: {
    ratio: { label: 'Issue ÷ no-op', unit: 'ratio', goal: atLeast(0.35) },
    p99: { label: 'Issue, p99', unit: 'ms', goal: atMost(30) },
    file: { label: 'File', unit: 'MB', goal: atMost(10), goalHoldsFor: 'full' },
    count: { label: 'Receipts', unit: 'count' },
  },
  short: { receipts: 200_000, rounds: 1 },
  full: { receipts: 1_000_000, rounds: 5 },
  run: async ({ receipts }) => ({
    ratio: 0.3,
    p99: 12.34,
    file: { value: 20, note: 'a | b' },
    count: receipts,
  }),
});

const comparing = defineBenchmark({
  name: 'comparing',
  capability: 'Old and new executable',
  about: 'Compares.',
  needs: ['old executable'],
  metrics: { ratio: { label: 'New ÷ old', unit: 'ratio', goal: atLeast(0.97) } },
  short: { rounds: 1 },
  full: { rounds: 9 },
  run: async () => ({ ratio: 1 }),
});

const BOTH = [comparing, issuing];
const BENCH = { newDirectory: () => '', oldExecutable: null };

function at(commit: string, date = '2026-11-22T03:50:00Z'): RunContext {
  return { commit, date, machine: '2 × Processor', versions: { Bun: '1.4.5' }, command: 'bun scripts/bench' };
}

const issued = async (commit: string, form: 'short' | 'full' = 'short') =>
  runOf(issuing, form, { metrics: await issuing.run(form, BENCH) }, at(commit));

const compared = (value: number, commit: string) =>
  runOf(comparing, 'short', { metrics: { ratio: { value } } }, at(commit));

function results(...runs: Results['runs']): Results {
  return { commit: HERE, runs };
}

describe('a goal', () => {
  const ratio = { label: '', unit: 'ratio', goal: atLeast(0.97) } as const;
  const latency = { label: '', unit: 'ms', goal: atMost(30) } as const;

  test.each([
    [ratio, 0.97, 'met'],
    [ratio, 0.9699, 'missed'],
    [ratio, Number.NaN, 'missed'],
    [latency, 30, 'met'],
    [latency, 30.1, 'missed'],
    [latency, Number.NaN, 'missed'],
  ] as const)('%o is compared with %d: %s', (metric, value, verdict) => {
    expect(verdictOf(metric, value, 'short')).toBe(verdict);
  });

  test('that depends on the size is held against the full form only', () => {
    const metric = { ...latency, goalHoldsFor: 'full' } as const;
    expect(verdictOf(metric, 31, 'short')).toBe('full form only');
    expect(verdictOf(metric, 31, 'full')).toBe('missed');
    expect(verdictOf(metric, 29, 'full')).toBe('met');
  });

  test('is written with its comparison and its unit', () => {
    expect([goalText(ratio), goalText(latency), goalText({ label: '', unit: 'ms' })]).toEqual([
      '≥ 0.97',
      '≤ 30 ms',
      '–',
    ]);
  });
});

test('a value is written with three digits and its unit', () => {
  expect([
    withUnit(0.31249, 'ratio'),
    withUnit(12.345, 'ms'),
    withUnit(1234.5, 'ms'),
    withUnit(0.0123, 'ms'),
    withUnit(9204.4, 'requests/s'),
    withUnit(83_411, 'count'),
  ]).toEqual(['0.312', '12.3 ms', '1,235 ms', '0.0123 ms', '9,204 requests/s', '83,411']);
});

test('a form says its sizes, and its metrics are of that form', async () => {
  expect(issuing.sizeOf('short')).toBe('200,000 receipts, 1 round');
  expect((await issuing.run('full', BENCH)).count).toEqual({ value: 1_000_000 });
  expect(commandOf(issuing, 'full')).toBe('bun scripts/bench issuing --full');
  expect(commandOf(comparing)).toBe('bun scripts/bench comparing --against OLD');
});

describe('a run', () => {
  test('stores each metric with its unit, its goal and its note', async () => {
    const { figures, failure, commit, size } = await issued(HERE);
    expect(figures).toEqual([
      { figure: 'ratio', value: 0.3, unit: 'ratio', goal: { atLeast: 0.35 } },
      { figure: 'p99', value: 12.34, unit: 'ms', goal: { atMost: 30 } },
      { figure: 'file', value: 20, unit: 'MB', goal: { atMost: 10 }, note: 'a | b' },
      { figure: 'count', value: 200_000, unit: 'count', goal: null },
    ]);
    expect({ failure, commit, size }).toEqual({
      failure: null,
      commit: HERE,
      size: '200,000 receipts, 1 round',
    });
  });

  test('without a value for a metric has failed, and so has one whose process left something else', () => {
    const run = runOf(comparing, 'short', { metrics: {} }, at(HERE));
    expect([run.failure, run.figures]).toEqual(['no value for ratio', []]);
    // JSON has no NaN.
    expect(() => parseOutcome(JSON.stringify({ metrics: { ratio: { value: Number.NaN } } }))).toThrow(
      'not every metric is a number',
    );
    expect(parseOutcome('{"failure":"wrk"}')).toEqual({ failure: 'wrk' });
  });

  test('replaces the results of its own benchmark in its own form, and no others', async () => {
    const [short, full] = [await issued(ELSEWHERE), await issued(ELSEWHERE, 'full')];
    const before = results(compared(1, ELSEWHERE), short, full);
    const failed = runOf(issuing, 'short', { failure: 'refused' }, at(HERE));
    expect(withRun(before, failed).runs).toEqual([compared(1, ELSEWHERE), full, failed]);
    expect(withRun(results(), failed).runs).toEqual([failed]);
  });

  test('that was disturbed replaces no quiet one, and says so on the page', async () => {
    const quiet = { ...compared(1, HERE), load: 0.49 };
    const disturbed = { ...compared(0.5, HERE), load: 0.5 };
    const kept = results(quiet);
    expect(withRun(kept, disturbed)).toBe(kept);
    expect(withRun(results(disturbed), quiet).runs).toEqual([quiet]);
    expect(withRun(results(disturbed), { ...disturbed, load: 2 }).runs).toEqual([{ ...disturbed, load: 2 }]);
    expect(pageOf(results(disturbed), BOTH)).toContain('| short *disturbed* |');
    expect(pageOf(results(quiet), BOTH)).not.toContain('| short *disturbed* |');
  });

  test('of a benchmark or a metric that was removed is dropped', async () => {
    const run = await issued(HERE);
    const more = { figure: 'gone', value: 1, unit: 'ms', goal: null };
    const { runs } = withoutRemovedMetrics(
      results({ ...run, figures: [...run.figures, more] }, { ...run, benchmark: 'gone' }, compared(1, HERE)),
      BOTH,
    );
    expect(runs).toEqual([compared(1, HERE), run]);
  });
});

test('results are read as they were written, and anything else is refused with its place', async () => {
  const some = results(await issued(HERE), compared(1, HERE));
  expect(parseResults(JSON.stringify(some))).toEqual(some);
  const wrong = { ...some, runs: [{ ...compared(1, HERE), form: 'long' }] };
  expect(() => parseResults(JSON.stringify(wrong))).toThrow('not valid at /runs/0/form');
});

describe('the page', () => {
  const rowsOf = (page: string, name: string) =>
    page.split('\n').filter((row) => row.startsWith(`| ${name}`));

  test('has a row for each goal, by capability: value, goal, whether it is met, form, commit and date', async () => {
    const page = pageOf(results(await issued(HERE)), BOTH);
    expect(rowsOf(page, 'issuing')).toEqual([
      `| issuing | Issue ÷ no-op | 0.300 | ≥ 0.35 | **missed** | short | \`${HERE}\` | 2026-11-22 |`,
      `| issuing | Issue, p99 | 12.3 ms | ≤ 30 ms | met | short | \`${HERE}\` | 2026-11-22 |`,
      `| issuing | File | 20 MB (a \\| b) | ≤ 10 MB | full form only | short | \`${HERE}\` | 2026-11-22 |`,
    ]);
    expect(rowsOf(page, 'comparing')).toEqual(['| comparing | not measured yet |  |  |  |  |  |  |']);
    expect(page).toContain('**1 of 2 goals are met.**');
    expect(page.indexOf('| comparing')).toBeLessThan(page.indexOf('| issuing'));
  });

  test('of the methods says what each benchmark does, and with which sizes', () => {
    expect(methodsOf(BOTH)).toContain(
      '- **issuing**: Issues receipts. Short: 200,000 receipts, 1 round. Full: 1,000,000',
    );
  });

  test('shows the full form where it was run', async () => {
    const full = runOf(issuing, 'full', { metrics: await issuing.run('full', BENCH) }, at(HERE));
    const page = pageOf(results(await issued(HERE), full), BOTH);
    expect(rowsOf(page, 'issuing').map((row) => row.split(' | ')[5])).toEqual(['full', 'full', 'full']);
  });

  test('marks what was measured at another commit as older, also the same commit with changes', () => {
    const commitIn = (commit: string) =>
      rowsOf(pageOf(results(compared(1, commit)), BOTH), 'comparing')[0]?.split(' | ')[6];
    expect(commitIn(HERE)).toBe(`\`${HERE}\``);
    expect(commitIn(ELSEWHERE)).toBe(`\`${ELSEWHERE}\` **older**`);
    expect(commitIn(`${HERE}+dirty`)).toBe(`\`${HERE}+dirty\` **older**`);
  });

  test('holds a value against the present goal', async () => {
    const stricter = {
      ...comparing,
      metrics: { ratio: { label: 'x', unit: 'ratio', goal: atLeast(2) } },
    } as const;
    expect(pageOf(results(compared(1, HERE)), [stricter])).toContain('**0 of 1 goals are met.**');
  });

  test('shows what failed and why', () => {
    const run = runOf(comparing, 'short', { failure: 'refused' }, at(HERE));
    const page = pageOf(results(run), BOTH);
    expect(rowsOf(page, 'comparing')).toEqual([
      `| comparing | refused |  |  | **failed** | short | \`${HERE}\` | 2026-11-22 |`,
    ]);
  });

  test('says which machine measured what, once there are two', async () => {
    const other = { ...(await issued(HERE)), machine: '64 × Processor' };
    expect(pageOf(results(compared(1, HERE)), BOTH)).toEndWith('- 2 × Processor; Bun 1.4.5\n');
    expect(pageOf(results(compared(1, HERE), other), BOTH)).toEndWith(
      '- 2 × Processor; Bun 1.4.5: comparing (short)\n- 64 × Processor; Bun 1.4.5: issuing (short)\n',
    );
  });
});

test('the table shows every metric in columns, and below them what is missed and what failed', async () => {
  const failed = runOf(comparing, 'short', { failure: 'refused' }, at(HERE));
  expect(tableOf([failed, await issued(HERE)], BOTH)).toBe(
    [
      'benchmark  metric         measured       goal     result',
      'comparing                                         FAILED',
      'issuing    Issue ÷ no-op  0.300          ≥ 0.35   MISSED',
      'issuing    Issue, p99     12.3 ms        ≤ 30 ms  met',
      'issuing    File           20 MB (a | b)  ≤ 10 MB  full form only',
      'issuing    Receipts       200,000        –        no goal',
      '',
      'missed: issuing, Issue ÷ no-op: 0.300, goal ≥ 0.35',
      'failed: comparing: refused',
    ].join('\n'),
  );
});

describe('the benchmarks of the project', () => {
  test('have names of their own', () => {
    const names = BENCHMARKS.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
  });

  test('made the pages that are committed: docs/benchmarks.md is what docs/benchmarks.json says', () => {
    const text = (name: string) => readFileSync(join(ROOT, 'docs', name), 'utf8');
    const stored = parseResults(text('benchmarks.json'));
    // After a change of a benchmark: bun scripts/bench --page
    expect(text('benchmarks.md')).toBe(pageOf(withoutRemovedMetrics(stored, BENCHMARKS), BENCHMARKS));
    expect(text('benchmark-methods.md')).toBe(methodsOf(BENCHMARKS));
  });
});

test('the busy time of processors is counted without waiting', () => {
  const stat = 'cpu  1000 200 300 90000 5000 10 20 0 0 0\ncpu0 500 100 150 45000 2500 5 10 0 0 0\n';
  expect(busySeconds(stat)).toBe(15.3);
  expect(busySeconds()).toBeGreaterThan(0);
});
