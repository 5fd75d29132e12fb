import { trustError } from '../http/dialect.ts';
import type { Publications } from '../log/checkpoints/publications.ts';

/** A checkpoint takes a second at most to be published. */
const WAIT_MS = 3000;

/** Reports that the newest checkpoints do not contain all leaves of an agent yet. */
export class LeavesUncovered extends Error {
  override readonly name = 'LeavesUncovered';
}

/**
 * Returns what `attempt` returns. While it rejects with LeavesUncovered, waits for the next checkpoints and calls it again.
 * @param timeoutMs how long it waits in all, three seconds by default
 * @throws ApiError overloaded if no checkpoint covers the leaves by then; and other errors of `attempt`
 */
export async function whenCovered<T>(
  { log }: { log: { publisher: { publications: Publications } } },
  attempt: () => Promise<T>,
  timeoutMs = WAIT_MS,
): Promise<T> {
  const { publications } = log.publisher;
  const end = performance.now() + timeoutMs;
  for (;;) {
    // Before the attempt, so that a round during it counts.
    const { count } = publications;
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof LeavesUncovered)) throw error;
      const left = end - performance.now();
      // A timer can end a fraction of a millisecond early.
      if (left < 1) throw noCheckpoint();
      await publications.after(count, left);
    }
  }
}

/** Returns the error for a credential that would cite a checkpoint which does not exist yet. */
export function noCheckpoint() {
  return trustError('overloaded', {
    message:
      'The log has published no checkpoint that contains the newest leaf of the agent, which the credential would cite. Repeat the request later.',
    headers: { 'retry-after': '5' },
  });
}
