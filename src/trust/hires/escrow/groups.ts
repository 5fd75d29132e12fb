/** The units of work that share a commit. Paying for a task signs a receipt twice. */
const TOGETHER = 10;

/**
 * Acts on each item in a unit of work of its own, some of them at once so that they share a commit. One that
 * fails does not stop the others.
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
