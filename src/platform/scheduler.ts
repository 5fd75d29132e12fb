import type { Logger } from 'pino';

/** What runs by itself, beside the requests. */
export interface Job {
  name: string;
  everyMs: number;
  run(): Promise<void>;
}

/**
 * Runs jobs, each again and again, never beside itself. One that fails is logged and runs again at its next time; it never
 * ends the process. @returns what stops them, and waits for those under way
 */
export function schedule(jobs: readonly Job[], log: Logger): () => Promise<void> {
  const timers = new Map<Job, Timer>();
  const running = new Set<Promise<void>>();
  let stopped = false;
  const next = (job: Job): void => {
    if (stopped) return;
    timers.set(
      job,
      setTimeout(() => {
        const run = job
          .run()
          .catch((err: unknown) => log.error({ err, job: job.name }, 'a job failed'))
          .finally(() => {
            running.delete(run);
            next(job);
          });
        running.add(run);
      }, job.everyMs),
    );
  };
  for (const job of jobs) next(job);
  return async () => {
    stopped = true;
    for (const timer of timers.values()) clearTimeout(timer);
    await Promise.all(running);
  };
}
