import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../sources.ts';
import type { Benchmark } from './benchmark.ts';
import type { Form } from './metric.ts';
import { type Outcome, parseOutcome } from './results.ts';

/** The signals that end the command. */
const ENDING = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const EXIT_CODES = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 };

/** A running benchmark: its process group leader, and its data directory. */
interface Started {
  pid: number;
  directory: string;
}

let started: Started | null = null;

/**
 * Installs handlers so that a signal that ends this process also ends the benchmark and its servers, and
 * removes their data.
 */
export function cleanUpOnSignals(): void {
  for (const signal of ENDING) {
    process.on(signal, () => {
      cleanUp();
      process.exit(EXIT_CODES[signal]);
    });
  }
}

/**
 * Runs a benchmark in its own process, so that it does not measure the heap of the previous one, and a crash
 * does not end the others. Its child processes are in its process group, which is killed at its end. All its
 * data is in one directory, which is then removed. @param oldExecutable the executable to compare with
 */
export async function runInChild(
  { name }: Benchmark,
  form: Form,
  oldExecutable: string | null,
): Promise<Outcome> {
  mkdirSync(join(ROOT, 'dist'), { recursive: true });
  const directory = mkdtempSync(join(ROOT, 'dist', 'bench-'));
  const outcome = join(directory, 'outcome.json');
  const child = Bun.spawn(
    [
      process.execPath,
      join(import.meta.dir, 'child.ts'),
      name,
      form,
      directory,
      outcome,
      oldExecutable ?? '',
    ],
    {
      cwd: ROOT,
      stdin: 'ignore',
      stdout: 'inherit',
      stderr: 'inherit',
      detached: true,
      // The test support creates its temporary files in the directory too.
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
    // Kills the whole group, including servers and wrk.
    process.kill(-pid, 'SIGKILL');
  } catch {
    // The group has already ended.
  }
  // A process that is being killed may still create a file.
  rmSync(directory, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
}
