import { STARTED_BY } from '../started-by.ts';

/** How often the parent is looked for, in milliseconds. */
const LOOK_MS = 200;

/**
 * Calls `end` once when the process that started this one has ended, however it ended: the kernel then gives
 * this process another parent. It may have ended before this call. @returns a function that stops looking
 */
export function whenParentEnds(end: () => void, parent: number = STARTED_BY): () => void {
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    end();
  }, LOOK_MS);
  timer.unref();
  return () => clearInterval(timer);
}
