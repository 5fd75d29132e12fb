import { join } from 'node:path';
import { fresh } from './build.ts';
import { root, run } from './steps/checkout.ts';
import { belowCoverage } from './steps/coverage.ts';
import { install } from './steps/install.ts';
import { type Outcome, runTests } from './steps/tests.ts';

const failures: string[] = [];

/** Runs one step, says how it went and how long it took, and remembers a failure. */
async function step(name: string, body: () => boolean | Promise<boolean>): Promise<boolean> {
  const started = performance.now();
  const ok = await body();
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  print(`${ok ? 'ok    ' : 'FAILED'} ${name.padEnd(16)} ${seconds.padStart(6)} s`);
  if (!ok) {
    failures.push(name);
  }
  return ok;
}

/** A tool of node_modules, run by this Bun so that the machine's Node does not matter; heard only when it fails. */
async function tool(name: string, ...args: string[]): Promise<boolean> {
  const child = Bun.spawn([process.execPath, '--bun', join(root, 'node_modules/.bin', name), ...args], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const heard = await Promise.all([child.stdout.text(), child.stderr.text()]);
  const ok = (await child.exited) === 0;
  if (!ok) {
    print(heard.join('').trimEnd());
  }
  return ok;
}

async function built(): Promise<boolean> {
  return fresh() || (await run([process.execPath, join(root, 'scripts/build.ts'), '--if-stale'])) === 0;
}

/** All steps, or with arguments for `bun test` only what those tests need. */
async function check(args: string[]): Promise<Outcome> {
  let outcome: Outcome = { passed: 0, failed: 0, skipped: [], lost: [] };
  const whole = args.length === 0;
  if (!(await step('install', async () => (await install('all')) === 0))) {
    return outcome;
  }
  if (whole) {
    await step('format and lint', () => tool('biome', 'ci', '--colors=off'));
    await step('types', () => tool('tsc', '--noEmit', '-p', '.'));
    await step('unused code', () => tool('knip'));
  }
  if (!(await step('build', built))) {
    return outcome;
  }
  await step('tests', async () => {
    outcome = await runTests(args);
    return outcome.failed === 0 && outcome.passed > 0;
  });
  if (whole) {
    leftOut(outcome);
    await step('coverage', covered);
  }
  return outcome;
}

/** Names what did not run. On a build machine everything has to. */
function leftOut({ lost, skipped }: Outcome): void {
  for (const file of lost) {
    print(`no result: ${file}`);
  }
  for (const name of skipped) {
    print(`skipped: ${name}`);
  }
  if (skipped.length > 0 && process.env.CI === 'true') {
    failures.push('tests left out');
  }
}

function covered(): boolean {
  try {
    const below = belowCoverage();
    below.forEach(print);
    return below.length === 0;
  } catch (error) {
    print(`the tests left no coverage: ${error instanceof Error ? error.message : error}`);
    return false;
  }
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

const { passed, failed, skipped } = await check(process.argv.slice(2));
if (failures.length > 0) {
  print(`FAILED: ${failures.join(', ')}`);
  process.exitCode = 1;
}
print(`${passed} passed, ${failed} failed${skipped.length > 0 ? `, ${skipped.length} skipped` : ''}`);
