import type { Logger } from 'pino';
import { LimitedLog } from './monitoring/log-limit.ts';
import type { Observer } from './monitoring/recorder.ts';
import type { Timers } from './time/clock.ts';
import type { ClockWatch } from './time/clock-watch.ts';

/** What runs by itself, beside the requests. */
export interface Job {
  /** Names it in the log and the metrics. */
  name: string;
  /** From the end of a run to the beginning of the next. */
  everyMs: number;
  run(): Promise<void>;
}

interface Surroundings {
  log: Logger;
  timers: Timers;
  observer: Observer;
}

/**
 * Runs jobs, each again and again, never beside itself. One that fails is logged and runs again at its next time; it never
 * ends the process. @returns what stops them, and waits for those under way
 */
export function schedule(jobs: readonly Job[], { log, timers, observer }: Surroundings): () => Promise<void> {
  const cancels = new Map<Job, () => void>();
  const running = new Set<Promise<void>>();
  const failures = new LimitedLog(log);
  let stopped = false;
  const perform = async (job: Job): Promise<void> => {
    const since = performance.now();
    let isWell = true;
    try {
      await job.run();
    } catch (err) {
      isWell = false;
      failures.error(err, { job: job.name }, `a job failed: ${job.name}`);
    }
    observer.job(job.name, isWell, (performance.now() - since) / 1000);
  };
  const next = (job: Job): void => {
    if (stopped) return;
    const begin = (): void => {
      const run = perform(job).finally(() => {
        running.delete(run);
        next(job);
      });
      running.add(run);
    };
    cancels.set(job, timers.after(job.everyMs, begin));
  };
  for (const job of jobs) next(job);
  return async () => {
    stopped = true;
    for (const cancel of cancels.values()) cancel();
    await Promise.all(running);
  };
}

/** Returns jobs that delete by the wall clock, each of which does nothing while that is known to be ahead. */
export function unlessAhead(clockWatch: Pick<ClockWatch, 'isAhead'>, jobs: readonly Job[]): Job[] {
  return jobs.map((job) => ({
    ...job,
    async run() {
      if (!clockWatch.isAhead) await job.run();
    },
  }));
}
