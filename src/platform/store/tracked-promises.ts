import { asRefusal } from './errors.ts';

/**
 * What the store promises: a promise that notices whether anybody waits for it. On SQLite it has settled when it is made; another engine's
 * settles later, so whoever leaves one behind would commit what is not yet written, or miss its error.
 */
class TrackedPromise<T> implements Promise<T> {
  readonly [Symbol.toStringTag] = 'Answer';
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
  /** How many of them nobody has waited for. */
  unawaited = 0;

  /** Runs `ask`, and promises what it returned or threw. The promise rejects with DuplicateRow where a unique index refused. */
  to<T>(ask: () => T): Promise<T> {
    this.unawaited += 1;
    try {
      return new TrackedPromise(this, Promise.resolve(ask()));
    } catch (error) {
      const refused = Promise.reject(asRefusal(error));
      // One that is left behind is the body's mistake, not the process's.
      refused.catch(() => undefined);
      return new TrackedPromise<T>(this, refused);
    }
  }
}
