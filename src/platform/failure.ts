/** An error that ends a command: what happened, what to do, and the exit code (1 failure, 2 wrong usage). */
export class Failure extends Error {
  override readonly name = 'Failure';
  constructor(
    message: string,
    readonly hint: string | null = null,
    readonly exitCode: 1 | 2 = 1,
  ) {
    super(message);
  }
}

/** What to do about a value of a command that a service refuses. */
export const CORRECT_THE_VALUE = 'correct the value; --help of the command shows its form';

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
