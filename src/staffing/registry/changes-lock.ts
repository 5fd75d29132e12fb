/**
 * Lets one change of the registry run at a time in a process. Other processes are kept out by the lock of the
 * data directory.
 */
export class RegistryLock {
  private last: Promise<unknown> = Promise.resolve();

  /**
   * Runs `body` after all earlier changes have ended, and returns its result. An earlier change that failed
   * does not matter.
   */
  run<T>(body: () => Promise<T> | T): Promise<T> {
    const next = this.last.then(body);
    this.last = next.catch(() => undefined);
    return next;
  }
}
