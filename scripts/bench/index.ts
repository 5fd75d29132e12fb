import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { buildIfChanged } from '../build.ts';
import { ROOT } from '../sources.ts';
import { type Benchmark, commandOf, type Need } from './harness/benchmark.ts';
import { BENCHMARKS } from './harness/catalogue.ts';
import { machine, measuredCommit, versions } from './harness/machine.ts';
import type { Form } from './harness/metric.ts';
import { methodsOf, pageOf } from './harness/page.ts';
import { loadNow, quietLoad } from './harness/quiet.ts';
import {
  isDisturbed,
  parseResults,
  type Results,
  type Run,
  runOf,
  withoutRemovedMetrics,
  withRun,
} from './harness/results.ts';
import { cleanUpOnSignals, runInChild } from './harness/run.ts';
import { tableOf } from './harness/table.ts';
import { compileServer } from './server-process.ts';
import { print } from './statistics.ts';

const JSON_FILE = join(ROOT, 'docs', 'benchmarks.json');
const PAGE = join(ROOT, 'docs', 'benchmarks.md');
const METHODS = join(ROOT, 'docs', 'benchmark-methods.md');
const USAGE = `Usage: bun scripts/bench [name…] [--full] [--against OLD] [--page]

Runs every benchmark, or the named ones, one after the other, compares their metrics with the goals, and
writes them into docs/benchmarks.json and docs/benchmarks.md. Before each it waits until others keep less
than half a processor busy, for five minutes at most; else its result is marked as disturbed, and replaces
no quiet one.

  --full         with the sizes and rounds to which the goals apply; without it, the short form
  --against OLD  also runs compare: compares the executable OLD with the one that is built here
  --page         measures nothing: only rewrites the pages

Exit codes: 0 all ran, whether or not they met their goals; 1 a benchmark failed; 2 wrong usage, or a tool is missing.

Benchmarks: ${BENCHMARKS.map(({ name }) => name).join(', ')}
`;

const { positionals, values } = options();
const oldExecutable = values.against === undefined ? null : resolve(values.against);
const form: Form = values.full ? 'full' : 'short';
const chosen = choose(positionals);
const commit = measuredCommit();

cleanUpOnSignals();
if (values.page) {
  write({ ...stored(), commit });
} else {
  process.exitCode = (await runAll()).some(({ failure }) => failure !== null) ? 1 : 0;
}

function options() {
  try {
    const parsed = parseArgs({
      args: process.argv.slice(2),
      allowPositionals: true,
      options: {
        full: { type: 'boolean', default: false },
        page: { type: 'boolean', default: false },
        against: { type: 'string' },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
    if (!parsed.values.help) return parsed;
  } catch (error) {
    return refuse(error instanceof Error ? error.message : String(error));
  }
  process.stdout.write(USAGE);
  process.exit(0);
}

/** Returns the named benchmarks, or all that can run. Ends with an error when a prerequisite is missing. */
function choose(names: readonly string[]): Benchmark[] {
  const unknown = names.find((name) => !BENCHMARKS.some((benchmark) => benchmark.name === name));
  if (unknown !== undefined) return refuse(`The benchmark ${unknown} does not exist.`);
  if (oldExecutable !== null && !existsSync(oldExecutable))
    return refuse(`The executable ${oldExecutable} does not exist.`);
  const selected = BENCHMARKS.filter(({ name }) => names.length === 0 || names.includes(name));
  const runnable = selected.filter(
    ({ needs }) => oldExecutable !== null || !needs.includes('old executable'),
  );
  const skipped = selected.filter((benchmark) => !runnable.includes(benchmark)).map(({ name }) => name);
  if (skipped.length > 0 && names.length > 0)
    return refuse(`${skipped.join(', ')} needs the executable to compare with: --against OLD.`);
  if (skipped.length > 0 && !values.page) print(`left out: ${skipped.join(', ')} (needs --against OLD)`);
  const needWrk = runnable.filter(({ needs }) => needs.includes('wrk')).map(({ name }) => name);
  if (needWrk.length > 0 && !values.page && Bun.which('wrk') === null)
    return refuse(
      `wrk is not on PATH. Install it (Debian: apt install wrk). These need it: ${needWrk.join(', ')}.`,
    );
  return runnable;
}

function refuse(problem: string): never {
  process.stderr.write(
    `bun scripts/bench: ${problem}\nbun scripts/bench --help lists the benchmarks and options.\n`,
  );
  process.exit(2);
}

/**
 * Runs the chosen benchmarks one after the other. It writes the metrics of each run at once, so that an
 * interruption loses only the current one.
 */
async function runAll(): Promise<Run[]> {
  prepare(new Set(chosen.flatMap(({ needs }) => needs)));
  const runs: Run[] = [];
  for (const benchmark of chosen) {
    const since = performance.now();
    print(`\n${benchmark.name}: ${benchmark.sizeOf(form)}`);
    const load = await quietLoad();
    const outcome = await runInChild(benchmark, form, oldExecutable);
    const run = runOf(benchmark, form, outcome, {
      commit,
      date: new Date().toISOString().replace(/\.\d+Z$/, 'Z'),
      machine: machine(),
      versions: versions(),
      command: commandOf(benchmark, form),
      load: Number(Math.max(load, await loadNow()).toFixed(2)),
    });
    runs.push(run);
    if (isDisturbed(run)) print(`disturbed: others kept ${run.load} processors busy`);
    print(`${benchmark.name}: ${((performance.now() - since) / 1000).toFixed(0)} s`);
    // Reads the file again, because another process may have added a run meanwhile.
    write(withRun({ ...stored(), commit }, run));
  }
  print(`\n${tableOf(runs, BENCHMARKS)}`);
  return runs;
}

/** Builds the executables of the benchmarks once. */
function prepare(needs: ReadonlySet<Need>): void {
  if (needs.has('product') || needs.has('old executable')) buildIfChanged();
  if (needs.has('trust server')) compileServer();
}

function stored(): Results {
  return existsSync(JSON_FILE) ? parseResults(readFileSync(JSON_FILE, 'utf8')) : { commit, runs: [] };
}

function write(results: Results): void {
  const tidy = withoutRemovedMetrics(results, BENCHMARKS);
  writeFileSync(JSON_FILE, `${JSON.stringify(tidy, null, 2)}\n`);
  writeFileSync(PAGE, pageOf(tidy, BENCHMARKS));
  writeFileSync(METHODS, methodsOf(BENCHMARKS));
}
