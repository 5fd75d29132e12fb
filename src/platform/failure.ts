/**
 * The exit codes of commands: 1 failed or refused by a rule, 2 wrong usage, 3 not authorized, 4 not found, 5
 * conflict, 6 limited or unavailable (try again), 7 no connection.
 */
export const EXIT_CODES = [1, 2, 3, 4, 5, 6, 7] as const;
/** Also 130: the user cancelled the command with Ctrl-C. */
export type ExitCode = (typeof EXIT_CODES)[number] | 130;

/** Returns the exit code for the HTTP status of an error. */
export function exitCodeOf(status: number): ExitCode {
  if (status === 401 || status === 403) return 3;
  if (status === 404 || status === 410) return 4;
  if (status === 409) return 5;
  if (status === 429 || status >= 500) return 6;
  return status === 400 || status === 422 ? 2 : 1;
}

/** An error that ends a command: what happened, what to do, and the exit code. */
export class Failure extends Error {
  override readonly name = 'Failure';
  constructor(
    message: string,
    readonly hint: string | null = null,
    readonly exitCode: ExitCode = 1,
  ) {
    super(message);
  }
}

/** What to do about a value of a command that a service refuses. */
export const CORRECT_THE_VALUE = 'correct the value; --help of the command shows its form';

/** Returns what to do about an operation that a service refuses; null if its message is enough. */
export function hintOf(exitCode: ExitCode): string | null {
  if (exitCode === 2) return CORRECT_THE_VALUE;
  return exitCode === 6 ? 'try again later' : null;
}

/** Returns any error as a `Failure`, with its hint if it has one. Invalid values are wrong usage. */
export function asFailure(error: unknown): Failure {
  if (error instanceof Failure) return error;
  const issues = issuesIn(error);
  if (issues !== null) return new Failure(issues, CORRECT_THE_VALUE, 2);
  const message = error instanceof Error ? error.message : String(error);
  const hint = error instanceof Error && 'hint' in error ? String(error.hint) : null;
  return new Failure(message, hint);
}

/** Returns the invalid fields that a service's error names, as text; null if it names none. */
function issuesIn(error: unknown): string | null {
  const { issues } = error instanceof Error && 'details' in error ? Object(error.details) : Object({});
  if (issues === undefined) return null;
  return Object.entries(issues)
    .map(([field, sentences]) => `${field} ${[...new Set([sentences].flat())].join(', and ')}`)
    .join('; ');
}
