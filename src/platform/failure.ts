/** A command that cannot go on: what is wrong, what to do, and the exit code (1 failed, 2 wrong usage). */
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

/** Any error as `Failure`; errors that carry a hint keep it. */
export function asFailure(error: unknown): Failure {
  if (error instanceof Failure) return error;
  const message = (error instanceof Error ? error.message : String(error)) + issuesIn(error);
  const hint = error instanceof Error && 'hint' in error ? String(error.hint) : null;
  return new Failure(message, hint);
}

/** A service's own refusal names the fields that it is about. */
function issuesIn(error: unknown): string {
  const { issues } = error instanceof Error && 'details' in error ? Object(error.details) : Object({});
  if (issues === undefined) return '';
  return `: ${Object.entries(issues)
    .map(([field, sentences]) => `${field} ${sentences}`)
    .join('; ')}`;
}
