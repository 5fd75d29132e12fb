import { threadTime } from './thread-clock.ts';

/**
 * Watches how long this thread works between two runs of a timer of 1 ms: processor time, so that other
 * processes on the machine do not count. `stop` returns the longest in milliseconds.
 */
export function watchDelays(): { stop(): number } {
  let longest = 0;
  let last = threadTime();
  const timer = setInterval(() => {
    const now = threadTime();
    longest = Math.max(longest, (now - last) / 1000);
    last = now;
  }, 1);
  return {
    stop() {
      clearInterval(timer);
      return longest;
    },
  };
}
