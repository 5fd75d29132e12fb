import type { Logger } from 'pino';
import type { MetricsRecorder } from '../monitoring/recorder.ts';
import { schedule } from '../scheduler.ts';
import { isDueUntil, runUntil } from './advance.ts';
import type { RunningTestService } from './definition.ts';

/** The clock of a service while data is loaded into it. */
export interface LoadingClock {
  now(): number;
  /**
   * Advances to `time`, in milliseconds since 1970, and runs what becomes due on the way. An earlier time has
   * no effect. @throws Error when a task failed
   */
  advanceTo(time: number): Promise<void>;
}

/**
 * Returns the clock for loading data into an installation that serves nobody yet: its tasks run when they are
 * due, and at no other time.
 */
export async function loadingClock(
  service: RunningTestService,
  { log, recorder }: { log: Logger; recorder: MetricsRecorder },
): Promise<LoadingClock> {
  const { clock, deliveries } = service;
  const { tasks } = await service.background();
  const timers = { after: () => () => undefined };
  const scheduler = schedule(tasks, { log, recorder, timers });
  const advancing = { clock, scheduler, tasks, deliveries, publish: () => service.publish() };
  const never = new AbortController().signal;
  return {
    now: () => clock.now(),
    async advanceTo(time) {
      if (!(await isDueUntil(advancing, time))) {
        clock.advanceTo(time);
        return;
      }
      const failed = new Set<string>();
      await runUntil(advancing, time, failed, never);
      if (failed.size > 0) throw new Error(`tasks failed while data was loaded: ${[...failed].join(', ')}`);
    },
  };
}
