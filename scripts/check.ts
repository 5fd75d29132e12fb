import { mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Glob } from 'bun';
import { isColored } from '../src/platform/terminal/output.ts';
import { buildIfChanged } from './build.ts';
import { uncovered } from './coverage.ts';
import { install } from './install.ts';
import { ROOT } from './sources.ts';

/** Runs all checks of a change; the last line is `N passed, N failed`. */
const only = process.argv.slice(2);
const scratch = mkdtempSync(join(tmpdir(), 'countersign-check-'));
const failures: string[] = [];

install('all');
// Biome writes colors also to files and pipes, unless they are disabled.
const colors = isColored(process.stdout) ? [] : ['--colors=off'];
step('format and lint', ['node_modules/.bin/biome', 'ci', ...colors, '.']);
step('types', ['node_modules/.bin/tsc', '--noEmit', '--project', '.']);
step('unused code', ['node_modules/.bin/knip']);
const counts: Counts = built() ? await tests() : { passed: 0, failed: 1, skipped: 0 };
if (only.length === 0) coverage();
rmSync(scratch, { recursive: true, force: true });

for (const failure of failures) process.stdout.write(`failed: ${failure}\n`);
const failed = Math.max(counts.failed, failures.length);
const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : '';
process.stdout.write(`${counts.passed} passed, ${failed} failed${skipped}\n`);
process.exit(failed > 0 ? 1 : 0);

function step(name: string, command: string[]): boolean {
  const since = performance.now();
  const { exitCode } = Bun.spawnSync(command, { cwd: ROOT, stdout: 'inherit', stderr: 'inherit' });
  const seconds = ((performance.now() - since) / 1000).toFixed(1);
  process.stdout.write(`${exitCode === 0 ? 'ok' : 'FAILED'}: ${name} (${seconds} s)\n`);
  if (exitCode !== 0) failures.push(name);
  return exitCode === 0;
}

function built(): boolean {
  try {
    buildIfChanged();
    return true;
  } catch (error) {
    failures.push(`build: ${error}`);
    return false;
  }
}

interface Counts {
  passed: number;
  failed: number;
  skipped: number;
}

/**
 * Runs the tests and reads the results from the reports, which also list skipped tests. Tests of the executable mostly wait for child
 * processes, so they run in parallel with the others; their output follows at the end.
 */
async function tests(): Promise<Counts> {
  const since = performance.now();
  const coverage = ['--coverage', '--coverage-reporter=lcov', `--coverage-dir=${scratch}`];
  const runs =
    only.length > 0
      ? [testRun('all', [...coverage, ...only])]
      : [testRun('in process', [...coverage, 'test/unit', 'test/api']), testRun('executable', ['test/e2e'])];
  const ended = await Promise.all(runs.map(({ exited }) => exited));
  for (const { output } of runs.slice(1)) process.stdout.write(readText(output));
  const good = ended.every((code) => code === 0);
  const seconds = ((performance.now() - since) / 1000).toFixed(1);
  process.stdout.write(`${good ? 'ok' : 'FAILED'}: tests (${seconds} s)\n`);
  if (!good) failures.push('tests');
  return countsOf(runs.map(({ report }) => readText(report)));
}

/** Starts a test run. The output of the tests of the executable is buffered until they end. */
function testRun(name: string, args: readonly string[]) {
  const report = join(scratch, `${name}.xml`);
  const output = join(scratch, `${name}.txt`);
  // One descriptor for stdout and stderr, so that they do not overwrite each other.
  const shown = name === 'executable' ? openSync(output, 'w') : 'inherit';
  const reporting = ['--timeout=60000', '--reporter=junit', `--reporter-outfile=${report}`];
  const { exited } = Bun.spawn([process.execPath, 'test', ...reporting, ...args], {
    cwd: ROOT,
    stdout: shown,
    stderr: shown,
  });
  return { report, output, exited };
}

function countsOf(reports: readonly string[]): Counts {
  const xml = reports.join('\n');
  const sum = (name: string): number =>
    reports
      .map((one) => Number(new RegExp(`<testsuites [^>]*${name}="(\\d+)"`).exec(one)?.[1] ?? 0))
      .reduce((left, right) => left + right, 0);
  const skipped = [...xml.matchAll(/<testcase name="([^"]*)"[^>]*>\s*<skipped/g)].map((match) => match[1]);
  for (const name of skipped) process.stdout.write(`left out: ${name}\n`);
  if (skipped.length > 0 && process.env.CI === 'true') failures.push('tests were left out');
  // A file that cannot be loaded is not in the report.
  const unheard = [...new Glob('test/**/*.test.ts').scanSync({ cwd: ROOT })].filter(
    (file) => !xml.includes(file),
  );
  if (only.length === 0) failures.push(...unheard.map((file) => `${file} ran no test`));
  if (sum('tests') === 0) failures.push('no test ran');
  const failed = sum('failures');
  return { passed: sum('tests') - failed - skipped.length, failed, skipped: skipped.length };
}

function coverage(): void {
  const report = uncovered(readText(join(scratch, 'lcov.info')));
  for (const line of report) process.stdout.write(`coverage: ${line}\n`);
  if (report.length > 0) failures.push('coverage');
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
