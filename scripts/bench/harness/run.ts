import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../sources.ts';
import type { Benchmark } from './benchmark.ts';
import type { Form } from './metric.ts';
import { type Outcome, parseOutcome } from './results.ts';

/** What ends the command. */
const ENDING = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const EXIT_CODES = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 };

/** A benchmark under way: the leader of its process group, and the directory of all its data. */
interface Started {
  pid: number;
  directory: string;
}

let started: Started | null = null;

/** From now on, a signal that ends this process ends the benchmark and its servers too, and removes its data. */
export function cleanUpOnSignals(): void {
  for (const signal of ENDING) {
    process.on(signal, () => {
      cleanUp();
      process.exit(EXIT_CODES[signal]);
    });
  }
}

/**
 * Runs a benchmark in a process of its own, so that none measures the heap of the one before it, and none takes the others along.
 * What it starts belongs to its process group, which is killed when it has ended, and all its data lies in one directory, which is
 * then removed. @param former the executable to compare with
 */
export async function runInChild({ name }: Benchmark, form: Form, former: string | null): Promise<Outcome> {
  mkdirSync(join(ROOT, 'dist'), { recursive: true });
  const directory = mkdtempSync(join(ROOT, 'dist', 'bench-'));
  const outcome = join(directory, 'outcome.json');
  const child = Bun.spawn(
    [process.execPath, join(import.meta.dir, 'child.ts'), name, form, directory, outcome, former ?? ''],
    {
      cwd: ROOT,
      stdin: 'ignore',
      stdout: 'inherit',
      stderr: 'inherit',
      detached: true,
      // What the tests' helpers make lies in the directory as well.
      env: { ...process.env, TMPDIR: directory },
    },
  );
  started = { pid: child.pid, directory };
  try {
    await child.exited;
    if (existsSync(outcome)) return parseOutcome(readFileSync(outcome, 'utf8'));
    return { failure: `its process ended with ${child.signalCode ?? child.exitCode}` };
  } catch (error) {
    return { failure: error instanceof Error ? error.message : String(error) };
  } finally {
    cleanUp();
  }
}

function cleanUp(): void {
  if (started === null) return;
  const { pid, directory } = started;
  started = null;
  try {
    // All of the group: servers and wrk too.
    process.kill(-pid, 'SIGKILL');
  } catch {
    // Nothing of it runs any more.
  }
  // A process that is being killed may still create a file.
  rmSync(directory, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
}
