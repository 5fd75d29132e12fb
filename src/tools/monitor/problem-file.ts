import { closeSync, existsSync, fsyncSync, openSync, readFileSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from '../../platform/failure.ts';
import { syncPath } from '../../platform/files/write.ts';

/** The name of the file in a monitor's directory: whoever has looked into the problems removes it. */
const PROBLEM_FILE = 'problems.jsonl';
/** Beyond so many lines nothing is added: whoever reads so far knows enough. */
const LINES_MAX = 10_000;

/**
 * What was found wrong with entries, each a line of JSON. An entry is read once, so what is wrong with it stands here before the
 * copy goes on past it, and stays until somebody removes it.
 */
export class ProblemFile {
  readonly path: string;

  constructor(private readonly state: string) {
    this.path = join(state, PROBLEM_FILE);
  }

  /** What stands there, oldest first; a line that is not ours as it is. @throws Failure for a file that cannot be read */
  all(): string[] {
    if (!existsSync(this.path)) return [];
    return this.text()
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map(problemIn);
  }

  /** Adds those that are not there yet, durably. @throws Failure */
  add(at: string, problems: readonly string[]): void {
    const there = new Set(this.all());
    const fresh = [...new Set(problems)].filter((problem) => !there.has(problem));
    const lines = fresh.slice(0, Math.max(LINES_MAX - there.size, 0));
    if (lines.length === 0) return;
    try {
      // A kill may have left half a line.
      const isTorn = existsSync(this.path) && statSync(this.path).size > 0 && !this.text().endsWith('\n');
      const text = lines.map((problem) => `${JSON.stringify({ at, problem })}\n`).join('');
      const file = openSync(this.path, 'a', 0o600);
      try {
        const bytes = Buffer.from(isTorn ? `\n${text}` : text);
        for (let written = 0; written < bytes.length; ) written += writeSync(file, bytes, written);
        fsyncSync(file);
      } finally {
        closeSync(file);
      }
      syncPath(this.state);
    } catch (error) {
      throw this.failure('written', error);
    }
  }

  private text(): string {
    try {
      return readFileSync(this.path, 'utf8');
    } catch (error) {
      throw this.failure('read', error);
    }
  }

  private failure(purpose: string, error: unknown): Failure {
    return new Failure(
      `${this.path} cannot be ${purpose}: ${error instanceof Error ? error.message : String(error)}`,
      'check the directory and its disk; the copy does not continue before the problem is stored',
    );
  }
}

function problemIn(line: string): string {
  try {
    const { problem } = Object(JSON.parse(line));
    return typeof problem === 'string' ? problem : line;
  } catch {
    return line;
  }
}
