import { closeSync, existsSync, fsyncSync, openSync, readFileSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from '../../platform/failure.ts';
import { syncPath } from '../../platform/files/write.ts';

/** The name of the file in a monitor's directory. The operator removes it after examining the problems. */
const PROBLEM_FILE = 'problems.jsonl';
/** The maximum number of lines. */
const LINES_MAX = 10_000;

/**
 * The problems of entries, one JSON object per line. An entry is read only once, so its problem is stored
 * here before the copy advances past it.
 */
export class ProblemFile {
  readonly path: string;

  constructor(private readonly state: string) {
    this.path = join(state, PROBLEM_FILE);
  }

  /**
   * Returns the problems, oldest first; a line in another format is returned unchanged.
   * @throws Failure for a file that cannot be read
   */
  all(): string[] {
    if (!existsSync(this.path)) return [];
    return this.text()
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map(problemIn);
  }

  /**
   * Appends new problems durably.
   * @param at RFC 3339.
   * @returns those that the file did not have.
   * @throws Failure
   */
  add(at: string, problems: readonly string[]): string[] {
    const known = new Set(this.all());
    const fresh = [...new Set(problems)].filter((problem) => !known.has(problem));
    const lines = fresh.slice(0, Math.max(LINES_MAX - known.size, 0));
    if (lines.length === 0) return fresh;
    try {
      // A killed process may have left an incomplete line.
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
      return fresh;
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
