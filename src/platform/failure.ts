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

/** Returns any error as a `Failure`, with its hint if it has one. */
export function asFailure(error: unknown): Failure {
  if (error instanceof Failure) return error;
  const message = (error instanceof Error ? error.message : String(error)) + issuesIn(error);
  const hint = error instanceof Error && 'hint' in error ? String(error.hint) : null;
  return new Failure(message, hint);
}

/** Returns the invalid fields that a service's error names, as text. */
function issuesIn(error: unknown): string {
  const { issues } = error instanceof Error && 'details' in error ? Object(error.details) : Object({});
  if (issues === undefined) return '';
  return `: ${Object.entries(issues)
    .map(([field, sentences]) => `${field} ${sentences}`)
    .join('; ')}`;
}
