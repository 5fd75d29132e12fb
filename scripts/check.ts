import { chmodSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { availableParallelism, freemem, tmpdir } from 'node:os';
import { join } from 'node:path';
import { Glob } from 'bun';
import { isColored } from '../src/platform/terminal/output.ts';
import { buildIfChanged } from './build.ts';
import { uncovered } from './coverage.ts';
import { install } from './install.ts';
import { buildSdkApart } from './sdk.ts';
import { ROOT } from './sources.ts';

/** One more than processors, because some tests mostly wait: for timeouts and for other processes. */
const RUNNERS = availableParallelism() + 1;

/** A test process asks for the same memory again and again: returning it takes a tenth of the time. */
const KEPT_MEMORY = { MIMALLOC_PURGE_DELAY: '-1' };

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
// Biome writes colors even to files and pipes, unless they are disabled.
const colors = isColored(process.stdout) ? [] : ['--colors=off'];
step('format and lint', ['node_modules/.bin/biome', 'ci', ...colors, '.']);
step('types', ['node_modules/.bin/tsc', '--noEmit', '--project', '.']);
step('types of the verifier page', [
  'node_modules/.bin/tsc',
  '--noEmit',
  '--project',
  'src/platform/verify-page/browser',
]);
step('types of the SDK', ['node_modules/.bin/tsc', '--noEmit', '--project', 'src/sdk/typescript']);
step('unused code', ['node_modules/.bin/knip']);
const counts: Counts = built() ? await tests() : { passed: 0, failed: 1, skipped: 0 };
rmSync(scratch, { recursive: true, force: true });

for (const failure of failures) process.stdout.write(`failed: ${failure}\n`);
const failed = Math.max(counts.failed, failures.length);
const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : '';
process.stdout.write(`${counts.passed} passed, ${failed} failed${skipped}\n`);
process.exit(failed > 0 ? 1 : 0);

/**
 * Returns the folder for the files of the tests: in memory, where that is large enough, because the tests
 * sync thousands of small databases. No test depends on the disk below the files, but some run programs from
 * there.
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
    buildSdkApart();
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

/** Runs all tests, or those that were named, in several processes at a time. */
async function tests(): Promise<Counts> {
  const since = performance.now();
  const report = join(scratch, 'tests.xml');
  const folder = join(scratch, 'coverage');
  const { exited, stderr } = Bun.spawn(
    [
      process.execPath,
      'test',
      '--timeout=180000',
      `--parallel=${RUNNERS}`,
      // A process loads what many files import only once.
      '--no-isolate',
      '--reporter=junit',
      `--reporter-outfile=${report}`,
      '--coverage',
      '--coverage-reporter=lcov',
      `--coverage-dir=${folder}`,
      ...only,
    ],
    {
      cwd: ROOT,
      env: { ...process.env, TMPDIR: scratch, ...KEPT_MEMORY },
      stdout: 'inherit',
      stderr: 'pipe',
    },
  );
  // The results are on stderr.
  let output = '';
  const decoder = new TextDecoder();
  for await (const chunk of stderr) {
    process.stdout.write(chunk);
    output += decoder.decode(chunk, { stream: true });
  }
  const isGood = (await exited) === 0;
  const seconds = ((performance.now() - since) / 1000).toFixed(1);
  process.stdout.write(`${isGood ? 'ok' : 'FAILED'}: tests (${seconds} s)\n`);
  if (!isGood) failures.push('tests');
  if (only.length === 0) coverage(readText(join(folder, 'lcov.info')));
  const counts = countsOf(readText(report));
  for (const failure of failedTests(output)) process.stdout.write(failure);
  return counts;
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

function countsOf(xml: string): Counts {
  const sum = (name: string): number =>
    Number(new RegExp(`<testsuites [^>]*${name}="(\\d+)"`).exec(xml)?.[1] ?? 0);
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

function coverage(lcov: string): void {
  const report = uncovered(lcov);
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
