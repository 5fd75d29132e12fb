/** Runs functions that use the nonces of one account, one after the other. */
export class Mutex {
  private last: Promise<unknown> = Promise.resolve();

  /** Runs `act` when all earlier ones have ended, and returns its result. */
  run<Result>(act: () => Promise<Result>): Promise<Result> {
    const result = this.last.then(act, act);
    this.last = result.catch(() => undefined);
    return result;
  }
}
