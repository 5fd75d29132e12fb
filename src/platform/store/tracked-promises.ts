import { asDuplicateRow } from './errors.ts';

/**
 * A promise of the store that detects whether it was awaited. With SQLite it is settled from the start;
 * another engine would settle it later. A body that does not await one would then commit before its write, or
 * miss an error.
 */
class TrackedPromise<T> implements Promise<T> {
  readonly [Symbol.toStringTag] = 'TrackedPromise';
  private isAwaited = false;

  constructor(
    private readonly promises: TrackedPromises,
    private readonly settled: Promise<T>,
  ) {}

  // biome-ignore lint/suspicious/noThenProperty: it is a promise.
  then<Kept = T, Caught = never>(
    kept?: ((value: T) => Kept | PromiseLike<Kept>) | null,
    caught?: ((error: unknown) => Caught | PromiseLike<Caught>) | null,
  ): Promise<Kept | Caught> {
    if (!this.isAwaited) {
      this.isAwaited = true;
      this.promises.unawaited -= 1;
    }
    return this.settled.then(kept, caught);
  }

  catch<Caught = never>(
    caught?: ((error: unknown) => Caught | PromiseLike<Caught>) | null,
  ): Promise<T | Caught> {
    return this.then(null, caught);
  }

  finally(lastly?: (() => void) | null): Promise<T> {
    return this.then().finally(lastly);
  }
}

/** The promises of one snapshot or transaction. */
export class TrackedPromises {
  /** The number of promises that were not awaited. */
  unawaited = 0;

  /**
   * Runs `ask` and returns a promise of its result or error. The promise rejects with DuplicateRow when a
   * unique index refuses a row.
   */
  to<T>(ask: () => T): Promise<T> {
    this.unawaited += 1;
    try {
      return new TrackedPromise(this, Promise.resolve(ask()));
    } catch (error) {
      const refused = Promise.reject(asDuplicateRow(error));
      // A promise that is not awaited is an error of the body, not an unhandled rejection of the process.
      refused.catch(() => undefined);
      return new TrackedPromise<T>(this, refused);
    }
  }
}
