import { readFileSync } from 'node:fs';

/** The processors that others may keep busy while a benchmark measures. */
export const QUIET = 0.5;
/** How long a benchmark waits for others to end, in milliseconds. */
const LIMIT_MS = 300_000;
/** Over which time the work of others is measured, in milliseconds. */
const SPAN_MS = 3000;

/**
 * Waits until others keep less than half a processor busy, for five minutes at most.
 *
 * The load average is of the last minutes, in which the benchmark before was under way: so this counts the
 * time of the processors itself.
 * @returns the processors that were busy at last
 */
export async function quietLoad(): Promise<number> {
  const end = performance.now() + LIMIT_MS;
  let load = await loadNow();
  while (load >= QUIET && performance.now() < end) load = await loadNow();
  return load;
}

/** Returns how many processors were busy in the next seconds. */
export async function loadNow(): Promise<number> {
  const before = busySeconds();
  const since = performance.now();
  await Bun.sleep(SPAN_MS);
  return (busySeconds() - before) / ((performance.now() - since) / 1000);
}

/** Returns the time that all processors were busy since the machine started, in seconds (proc_stat(5)). */
export function busySeconds(text: string = readFileSync('/proc/stat', 'utf8')): number {
  const [, user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0] = (text.split('\n', 1)[0] ?? '')
    .split(/\s+/)
    .map(Number);
  // Linux counts in hundredths of a second (USER_HZ).
  return (user + nice + system + irq + softirq) / 100;
}
