import { chmodSync, mkdtempSync, openSync, readFileSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';
import { Glob } from 'bun';
import { isColored } from '../src/platform/terminal/output.ts';
import { buildIfChanged } from './build.ts';
import { uncovered } from './coverage.ts';
import { install } from './install.ts';
import { ROOT } from './sources.ts';

/**
 * Tests that run beside the others: those that mostly wait, for timeouts and for other processes, and as many in process as let all runs end
 * at about the same time.
 */
const BESIDE =
  /^test\/(?:api\/(?:platform\/monitoring|tools|trust\/(?:audit|webhooks|witnesses))|e2e\/(?:platform\/(?:named-files|store)|trust\/payouts|witness)|unit\/staffing\/registry)\b/;

const SHARED_MEMORY = '/dev/shm';
/** More than the files of all tests at a time, in bytes. */
const SCRATCH_BYTES = 2 ** 31;

/** Runs all checks of a change; the last line is `N passed, N failed`. */
const only = process.argv.slice(2);
const scratch = mkdtempSync(join(scratchParent(), 'countersign-check-'));
// Some tests run programs as another user.
chmodSync(scratch, 0o755);
const failures: string[] = [];

install('all');
// Biome writes colors also to files and pipes, unless they are disabled.
const colors = isColored(process.stdout) ? [] : ['--colors=off'];
step('format and lint', ['node_modules/.bin/biome', 'ci', ...colors, '.']);
step('types', ['node_modules/.bin/tsc', '--noEmit', '--project', '.']);
step('unused code', ['node_modules/.bin/knip']);
const counts: Counts = built() ? await tests() : { passed: 0, failed: 1, skipped: 0 };
rmSync(scratch, { recursive: true, force: true });

for (const failure of failures) process.stdout.write(`failed: ${failure}\n`);
const failed = Math.max(counts.failed, failures.length);
const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : '';
process.stdout.write(`${counts.passed} passed, ${failed} failed${skipped}\n`);
process.exit(failed > 0 ? 1 : 0);

/**
 * Returns the folder for the files of the tests: in memory, where that is large enough, because the tests sync thousands of small databases.
 * No test depends on the disk below the files, but some run programs from there.
 */
function scratchParent(): string {
  const mounts = readText('/proc/mounts').split('\n');
  const options = mounts.map((line) => line.split(' ')).find(([, at]) => at === SHARED_MEMORY)?.[3];
  if (options === undefined || /\b(?:noexec|ro)\b/.test(options)) return tmpdir();
  const { bavail, bsize } = statfsSync(SHARED_MEMORY);
  return Math.min(bavail * bsize, freemem()) >= SCRATCH_BYTES ? SHARED_MEMORY : tmpdir();
}

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
 * Runs the tests and reads the results from the reports, which also list skipped tests. Three runs at a time, for two cores: most tests in
 * process, most of the executable, and those of BESIDE; the output of the first is shown at once, that of the others at the end.
 */
async function tests(): Promise<Counts> {
  const since = performance.now();
  const runs = only.length > 0 ? [await testRun('all', only)] : await allRuns();
  const outputs = runs.map(({ output }) => readText(output));
  for (const output of outputs.slice(1)) process.stdout.write(output);
  const good = runs.every(({ code }) => code === 0);
  const seconds = ((performance.now() - since) / 1000).toFixed(1);
  process.stdout.write(`${good ? 'ok' : 'FAILED'}: tests (${seconds} s)\n`);
  if (!good) failures.push('tests');
  if (only.length === 0) coverage(runs);
  const counts = countsOf(runs.map(({ report }) => readText(report)));
  for (const failure of outputs.flatMap(failedTests)) process.stdout.write(failure);
  return counts;
}

function allRuns(): Promise<TestRun[]> {
  const files = [...new Glob('test/**/*.test.ts').scanSync({ cwd: ROOT })].sort();
  const beside = files.filter((file) => BESIDE.test(file));
  const others = files.filter((file) => !BESIDE.test(file));
  const isOfExecutable = (file: string) => file.startsWith('test/e2e/');
  const inProcess = others.filter((file) => !isOfExecutable(file));
  const ofExecutable = others.filter(isOfExecutable);
  return Promise.all([
    testRun('in process', inProcess),
    testRun('executable', ofExecutable),
    testRun('beside', beside),
  ]);
}

/** A test run that ended: its exit code, and the files with its report, its coverage and its output. */
interface TestRun {
  code: number;
  report: string;
  lcov: string;
  output: string;
}

/** Runs tests. The output of the run `in process` is also shown at once, that of others is buffered until they end. */
async function testRun(name: string, tests: readonly string[]): Promise<TestRun> {
  const report = join(scratch, `${name}.xml`);
  const output = join(scratch, `${name}.txt`);
  const folder = join(scratch, name);
  const shown = name === 'in process' || name === 'all';
  const buffer = openSync(output, 'w');
  const reporting = ['--timeout=180000', '--reporter=junit', `--reporter-outfile=${report}`];
  // The executable runs in processes of its own, of which the run measures nothing.
  const coverage =
    name === 'executable' ? [] : ['--coverage', '--coverage-reporter=lcov', `--coverage-dir=${folder}`];
  // The results are on stderr.
  const { exited, stderr } = Bun.spawn([process.execPath, 'test', ...reporting, ...coverage, ...tests], {
    cwd: ROOT,
    env: { ...process.env, TMPDIR: scratch },
    stdout: shown ? 'inherit' : buffer,
    stderr: 'pipe',
  });
  for await (const chunk of stderr) {
    if (shown) process.stdout.write(chunk);
    writeSync(buffer, chunk);
  }
  return { code: await exited, report, lcov: join(folder, 'lcov.info'), output };
}

/** Returns what a run printed about each test that failed: at most the last 40 lines before its result. */
function failedTests(output: string): string[] {
  const texts: string[] = [];
  let lines: string[] = [];
  for (const line of output.split('\n')) {
    lines.push(line);
    if (!/^\((?:pass|fail|skip|todo)\)/.test(line)) continue;
    if (line.startsWith('(fail)')) texts.push(`\n${lines.slice(-40).join('\n')}\n`);
    lines = [];
  }
  return texts;
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

function coverage(runs: readonly TestRun[]): void {
  const report = uncovered(runs.map(({ lcov }) => readText(lcov)).join(''));
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
