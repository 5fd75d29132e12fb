import type { Logger } from 'pino';
import { LimitedLog } from './monitoring/log-limit.ts';
import type { MetricsRecorder } from './monitoring/recorder.ts';
import type { Timers } from './time/clock.ts';
import type { ClockWatch } from './time/clock-watch.ts';

/** A task that runs periodically while the service answers requests. */
export interface ScheduledTask {
  /** The name in the log and the metrics. */
  name: string;
  /** The time from the end of a run to the start of the next, in milliseconds. */
  everyMs: number;
  run(): Promise<void>;
}

interface Surroundings {
  log: Logger;
  timers: Timers;
  recorder: MetricsRecorder;
}

/**
 * Runs tasks periodically. Runs of one task never overlap. A failed run is logged and never ends the process; the task runs again at its
 * next time.
 * @returns a function that stops the tasks and waits for the running ones
 */
export function schedule(
  tasks: readonly ScheduledTask[],
  { log, timers, recorder }: Surroundings,
): () => Promise<void> {
  const cancels = new Map<ScheduledTask, () => void>();
  const running = new Set<Promise<void>>();
  const failures = new LimitedLog(log);
  let stopped = false;
  const perform = async (task: ScheduledTask): Promise<void> => {
    const since = performance.now();
    let isOk = true;
    try {
      await task.run();
    } catch (err) {
      isOk = false;
      failures.error(err, { task: task.name }, `a task failed: ${task.name}`);
    }
    recorder.task(task.name, isOk, (performance.now() - since) / 1000);
  };
  const next = (task: ScheduledTask): void => {
    if (stopped) return;
    const begin = (): void => {
      const run = perform(task).finally(() => {
        running.delete(run);
        next(task);
      });
      running.add(run);
    };
    cancels.set(task, timers.after(task.everyMs, begin));
  };
  for (const task of tasks) next(task);
  return async () => {
    stopped = true;
    for (const cancel of cancels.values()) cancel();
    await Promise.all(running);
  };
}

/** Wraps tasks that delete by date, so that each does nothing while the wall clock is known to be ahead. */
export function unlessAhead(
  clockWatch: Pick<ClockWatch, 'isAhead'>,
  tasks: readonly ScheduledTask[],
): ScheduledTask[] {
  return tasks.map((task) => ({
    ...task,
    async run() {
      if (!clockWatch.isAhead) await task.run();
    },
  }));
}
