import { ApiError, ConnectionError } from './errors.ts';

/** The longest time that a repetition waits, in seconds. A longer Retry-After is left to the caller. */
const LONGEST_WAIT = 60;

/** The states that end by themselves: a proxy without its service, a service that is overloaded or starts. */
const TEMPORARY = [502, 503, 504];

/**
 * Returns whether a request can be repeated after an error. A request that is refused for the rate of
 * requests has done nothing. After any other error, only one that is safe: a read, or one with an
 * Idempotency-Key, to which the service repeats its first response.
 */
export function isRepeatable(error: unknown, isSafe: boolean): boolean {
  if (error instanceof ConnectionError)
    return isSafe && (error.problem === 'unreachable' || error.problem === 'timeout');
  if (!(error instanceof ApiError)) return false;
  if ((error.retryAfter ?? 0) > LONGEST_WAIT) return false;
  return error.status === 429 || (isSafe && TEMPORARY.includes(error.status));
}

/**
 * Waits before a repetition: for the Retry-After, else half a second, doubled with each attempt, less up to a
 * quarter at random, so that clients do not come back together.
 * @param attempts how many were made
 * @throws the reason of the signal that ends it
 */
export function pause(error: unknown, attempts: number, signal: AbortSignal | undefined): Promise<void> {
  const retryAfter = error instanceof ApiError ? error.retryAfter : null;
  const seconds = retryAfter ?? Math.min(8, 0.5 * 2 ** (attempts - 1)) * (1 - Math.random() / 4);
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, seconds * 1000);
    if (signal?.aborted === true) stop();
    else signal?.addEventListener('abort', stop, { once: true });
  });
}
