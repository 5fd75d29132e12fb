import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** The processor time of a process so far, in seconds: of its first thread, and of all threads that live. */
export interface ProcessorTime {
  main: number;
  all: number;
}

/** Returns the processor time of a process, to the nanosecond (proc_pid_schedstat(5)). */
export function processorTime(pid: number): ProcessorTime {
  const tasks = `/proc/${pid}/task`;
  const time = { main: 0, all: 0 };
  for (const thread of readdirSync(tasks)) {
    const file = `${tasks}/${thread}/schedstat`;
    // A thread can end after it was listed.
    if (!existsSync(file)) continue;
    const [nanoseconds = '0'] = readFileSync(file, 'utf8').split(' ');
    const seconds = Number(nanoseconds) / 1e9;
    time.all += seconds;
    if (thread === String(pid)) time.main = seconds;
  }
  return time;
}

/**
 * Measures what a server works for a load, per request.
 * @returns what the load returns, and microseconds of the main thread and of the process
 */
export async function perRequest<Load extends { requests: number }>(
  { pid }: { pid: number },
  load: () => Promise<Load>,
): Promise<Load & { mainMicros: number; processMicros: number }> {
  const before = processorTime(pid);
  const result = await load();
  const after = processorTime(pid);
  const each = (seconds: number): number => (seconds * 1e6) / result.requests;
  return {
    ...result,
    mainMicros: each(after.main - before.main),
    processMicros: each(after.all - before.all),
  };
}
