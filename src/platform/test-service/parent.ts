/** How often the parent is looked for, in milliseconds. */
const LOOK_MS = 200;

/**
 * Calls `end` once when the process that started this one has ended, however it ended: the kernel then gives
 * this process another parent. @returns a function that stops looking
 */
export function whenParentEnds(end: () => void): () => void {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    end();
  }, LOOK_MS);
  timer.unref();
  return () => clearInterval(timer);
}
