import type { Logger } from 'pino';
import { LimitedLog } from './monitoring/log-limit.ts';
import type { MetricsRecorder } from './monitoring/recorder.ts';
import type { Timers } from './time/clock.ts';
import type { ClockWatch } from './time/clock-watch.ts';

/** A task that runs periodically while the service serves requests. */
export interface ScheduledTask {
  /** The name in the log and the metrics. */
  name: string;
  /** The time from the end of a run to the start of the next, in milliseconds. */
  everyMs: number;
  run(): Promise<void>;
  /**
   * Gives the task a function that starts its next run after `ms` milliseconds instead, for work that should
   * not wait for the period. A call during a run counts from the end of the run.
   */
  onSchedule?(runIn: (ms: number) => void): void;
}

interface Surroundings {
  log: Logger;
  timers: Timers;
  recorder: MetricsRecorder;
}

/**
 * Runs tasks periodically. Runs of one task never overlap. A failed run is logged and never ends the process;
 * the task runs again at its next time.
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
  const start = (task: ScheduledTask): void => {
    let isRunning = false;
    let requestedMs: number | null = null;
    const plan = (ms: number): void => {
      if (!stopped) cancels.set(task, timers.after(ms, begin));
    };
    const begin = (): void => {
      isRunning = true;
      const run = perform(task).finally(() => {
        running.delete(run);
        isRunning = false;
        plan(requestedMs ?? task.everyMs);
        requestedMs = null;
      });
      running.add(run);
    };
    plan(task.everyMs);
    task.onSchedule?.((ms) => {
      if (isRunning) {
        requestedMs = ms;
        return;
      }
      cancels.get(task)?.();
      plan(ms);
    });
  };
  for (const task of tasks) start(task);
  return async () => {
    stopped = true;
    for (const cancel of cancels.values()) cancel();
    await Promise.all(running);
  };
}

/** Wraps tasks that act by date, so that each does nothing while the wall clock is in doubt. */
export function unlessInDoubt(
  clockWatch: Pick<ClockWatch, 'isInDoubt'>,
  tasks: readonly ScheduledTask[],
): ScheduledTask[] {
  return tasks.map((task) => ({
    ...task,
    async run() {
      if (!clockWatch.isInDoubt) await task.run();
    },
  }));
}
