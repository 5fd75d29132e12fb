import type { Service } from './service.ts';

/** The result of one test of a suite. */
export interface TestResult {
  name: string;
  outcome: 'passed' | 'failed' | 'skipped';
  /** Why it failed or was skipped; empty for a test that passed. */
  reason: string;
}

/** A published conformance suite. */
export interface Suite {
  name: string;
  about: string;
  /** Shell commands and remarks that make a checkout ready to run, one a line. */
  steps: readonly string[];
  /** Runs the suite from its checkout. @throws Error if the suite reports nothing */
  run(directory: string, service: Service): Promise<TestResult[]>;
}

/**
 * Runs the command of a suite; its output goes to standard error, because suites print much.
 * @returns when it has ended, whatever its exit code: its report says what failed
 */
export async function runCommand(
  command: string[],
  directory: string,
  env: Record<string, string>,
): Promise<void> {
  const child = Bun.spawn(command, {
    cwd: directory,
    env: { ...process.env, ...env },
    stdin: 'ignore',
    stdout: Bun.stderr,
    stderr: 'inherit',
  });
  await child.exited;
}
