/** Runs functions one after the other, for what shares the nonces of an account. */
export class Mutex {
  private last: Promise<unknown> = Promise.resolve();

  /** Runs `act` when all earlier ones have ended, and returns its result. */
  run<Result>(act: () => Promise<Result>): Promise<Result> {
    const result = this.last.then(act, act);
    this.last = result.catch(() => undefined);
    return result;
  }
}
