/**
 * A long computation that can be interrupted: it yields where its caller may let others run, and returns its
 * result.
 */
export type Steps<Result> = Generator<undefined, Result, undefined>;

/** Runs a computation without interruptions. @throws what it throws */
export function inOneGo<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}
