import type { ScheduledTask, Scheduler } from '../scheduler.ts';
import type { TestClock } from './clock.ts';

/** The runs of one task at one time, while each leaves something due. A run ends some thousand rows. */
const MOST_RUNS = 1000;
/** Before every due time. */
const EVER = -1;

/** What a service sends to others. */
export interface Deliveries {
  /**
   * Returns when the next one is due that is due after `after`, in milliseconds since 1970; null for none.
   */
  dueAt(after: number): number | null;
  /** Starts all that are due, and waits until none is running. */
  settle(): Promise<void>;
}

/** The parts of a running service that an advance moves. */
export interface Advancing {
  clock: TestClock;
  scheduler: Scheduler;
  tasks: readonly ScheduledTask[];
  deliveries: Deliveries;
  /** Publishes what was written, until it is covered by what the service signs. */
  publish(): Promise<void>;
}

/** What an advance did. */
export interface Advanced {
  /** The times at which something was due. */
  steps: number;
  /** The names of tasks of which a run failed; the log says why. */
  failed: readonly string[];
}

/**
 * Advances the clock to `target`, in milliseconds since 1970. On the way, the clock stops at each time at
 * which something is due, and goes on when that has ended, its deliveries included. At the end every task
 * runs once, since tasks that only clean up are due at no time of their own.
 * @param signal ends the advance at the next step
 */
export async function advance(service: Advancing, target: number, signal: AbortSignal): Promise<Advanced> {
  const failed = new Set<string>();
  const steps = await runUntil(service, target, failed, signal);
  if (signal.aborted) return { steps, failed: [...failed] };
  const { tasks, scheduler, publish, deliveries } = service;
  // The tasks find nothing that is overdue only because the clock advanced.
  await publish();
  for (const task of tasks) if (!(await scheduler.run(task))) failed.add(task.name);
  await runDue(service, failed, signal);
  await publish();
  await deliveries.settle();
  return { steps, failed: [...failed] };
}

/**
 * Advances the clock to `target` and runs what becomes due on the way. Adds the names of tasks of which a run
 * failed to `failed`. @returns at how many times something was due
 */
export async function runUntil(
  service: Advancing,
  target: number,
  failed: Set<string>,
  signal: AbortSignal,
): Promise<number> {
  const { clock } = service;
  let steps = 0;
  while (!signal.aborted) {
    if (await runDue(service, failed, signal)) steps += 1;
    const next = await dueAfter(service, clock.now());
    // The present of a clock that runs may be later than the target.
    if (next > target) break;
    clock.advanceTo(next);
  }
  if (!signal.aborted) clock.advanceTo(target);
  return steps;
}

/** Returns whether something is due up to `time`, even before the present. */
export async function isDueUntil(service: Advancing, time: number): Promise<boolean> {
  return (await dueAfter(service, EVER)) <= time;
}

/** Returns when the next thing of a task, or the next delivery, is due after `after`; else infinity. */
async function dueAfter({ tasks, deliveries }: Advancing, after: number): Promise<number> {
  const dues = await Promise.all(tasks.map((task) => task.dueAt?.(after) ?? null));
  return Math.min(...[...dues, deliveries.dueAt(after)].filter((due) => due !== null));
}

/**
 * Runs the tasks that have something due, each until nothing is due or a run fails, and until none makes
 * something due for another. Then waits for their deliveries. @returns whether something was due
 */
async function runDue(
  { clock, scheduler, tasks, deliveries }: Advancing,
  failed: Set<string>,
  signal: AbortSignal,
): Promise<boolean> {
  const stuck = new Set<ScheduledTask>();
  let wasDue = (deliveries.dueAt(EVER) ?? Number.POSITIVE_INFINITY) <= clock.now();
  for (let ran = true; ran && !signal.aborted; ) {
    ran = false;
    for (const task of tasks) {
      for (let runs = 0; !stuck.has(task) && !signal.aborted; runs += 1) {
        const due = await task.dueAt?.(EVER);
        if (due === undefined || due === null || due > clock.now()) break;
        ran = true;
        wasDue = true;
        if ((await scheduler.run(task)) && runs < MOST_RUNS) continue;
        failed.add(task.name);
        stuck.add(task);
      }
    }
  }
  await deliveries.settle();
  return wasDue;
}
