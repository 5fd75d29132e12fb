import type { LogName } from '../../../proof/log/log-names.ts';
import type { Publications } from './publications.ts';

/** The parts of the publisher that waiting for checkpoints uses. */
export interface CoveringPublisher<Name extends LogName = LogName> {
  publications: Publications;
  latest(name: Name): { response: { tree_size: number } };
}

/**
 * Waits for checkpoints of at least these sizes, by log.
 * @param end when it gives up, on the monotonic clock. @returns false if they were not published by then
 */
export async function areCoveredBy<Name extends LogName>(
  publisher: CoveringPublisher<Name>,
  sizes: readonly (readonly [name: Name, size: number])[],
  end: number,
): Promise<boolean> {
  const { publications } = publisher;
  for (;;) {
    const { count } = publications;
    if (sizes.every(([name, size]) => publisher.latest(name).response.tree_size >= size)) return true;
    const left = end - performance.now();
    // A timer can end a fraction of a millisecond early.
    if (left < 1) return false;
    await publications.after(count, left);
  }
}
