/** The units of work that share a commit. Paying for a task signs a receipt twice. */
const TOGETHER = 10;

/**
 * Acts on each item in its own unit of work, on several at once so that they share a commit. A failure does
 * not stop the other items.
 * @returns the errors
 */
export async function inGroups<T>(
  items: readonly T[],
  act: (item: T) => Promise<unknown>,
): Promise<unknown[]> {
  const failures: unknown[] = [];
  for (let index = 0; index < items.length; index += TOGETHER) {
    const ended = await Promise.allSettled(items.slice(index, index + TOGETHER).map(act));
    for (const result of ended) if (result.status === 'rejected') failures.push(result.reason);
  }
  return failures;
}
