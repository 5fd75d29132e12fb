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
  /**
   * Returns when something is due that is due after `after`, both in milliseconds since 1970; null for
   * nothing. A test service runs the task at each of these times that its clock passes. Absent from a task
   * that only cleans up, and from one that other events start.
   */
  dueAt?(after: number): Promise<number | null>;
}

/** The tasks that run. */
export interface Scheduler {
  /**
   * Runs one of the tasks now, after its current run. @returns false if it failed, or all tasks are stopped
   */
  run(task: ScheduledTask): Promise<boolean>;
  /** Stops the tasks and waits for the running ones. */
  stop(): Promise<void>;
}

interface Surroundings {
  log: Logger;
  timers: Timers;
  recorder: MetricsRecorder;
}

/**
 * Runs tasks periodically. Runs of one task never overlap. A failed run is logged and never ends the process;
 * the task runs again at its next time.
 */
export function schedule(
  tasks: readonly ScheduledTask[],
  { log, timers, recorder }: Surroundings,
): Scheduler {
  const cancels = new Map<ScheduledTask, () => void>();
  const running = new Map<ScheduledTask, Promise<boolean>>();
  const failures = new LimitedLog(log);
  let stopped = false;
  const perform = async (task: ScheduledTask): Promise<boolean> => {
    const since = performance.now();
    let isOk = true;
    try {
      await task.run();
    } catch (err) {
      isOk = false;
      failures.error(err, { task: task.name }, `a task failed: ${task.name}`);
    }
    recorder.task(task.name, isOk, (performance.now() - since) / 1000);
    return isOk;
  };
  const requestedMs = new Map<ScheduledTask, number>();
  const plan = (task: ScheduledTask, ms: number): void => {
    cancels.get(task)?.();
    if (!stopped)
      cancels.set(
        task,
        timers.after(ms, () => void begin(task)),
      );
  };
  const begin = async (task: ScheduledTask): Promise<boolean> => {
    cancels.get(task)?.();
    const { promise, resolve } = Promise.withResolvers<boolean>();
    running.set(task, promise);
    const isOk = await perform(task);
    running.delete(task);
    plan(task, requestedMs.get(task) ?? task.everyMs);
    requestedMs.delete(task);
    resolve(isOk);
    return isOk;
  };
  for (const task of tasks) {
    plan(task, task.everyMs);
    task.onSchedule?.((ms) => {
      if (running.has(task)) requestedMs.set(task, ms);
      else plan(task, ms);
    });
  }
  return {
    async run(task) {
      for (let current = running.get(task); current !== undefined; current = running.get(task)) await current;
      return stopped ? false : begin(task);
    },
    async stop() {
      stopped = true;
      for (const cancel of cancels.values()) cancel();
      await Promise.all(running.values());
    },
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
