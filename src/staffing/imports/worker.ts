/** Entry point of the Worker that runs an import. It loads no server code. */
import { constants, setPriority } from 'node:os';
import { systemClock } from '../../platform/time/clock.ts';
import { publishedFiles } from './readers.ts';
import { type FromWorker, sentError, type ToWorker } from './thread.ts';
import { openSteps, type Steps } from './work/open.ts';

declare const self: Worker;

let steps: Promise<Steps> | null = null;

self.onmessage = async ({ data }: MessageEvent<ToWorker>) => {
  try {
    if (data.order === 'open') {
      const { task, places, cancelled, hasPriority } = data;
      // Only of this thread and of those that it starts.
      if (!hasPriority) setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
      const flag = new Int32Array(cancelled);
      steps = openSteps({
        task,
        places,
        readers: publishedFiles,
        clock: systemClock,
        onEvent: (event) => send({ type: 'event', event }),
        isCancelled: () => Atomics.load(flag, 0) === 1,
      });
      // The error is for the first step.
      steps.catch(() => undefined);
      return;
    }
    const work = await steps;
    if (work === null) throw new Error('a step was ordered before the task');
    if (data.order === 'prepare') {
      send({ type: 'prepared', prepared: await work.prepare(data.suppressed) });
    } else {
      send({ type: 'applied', applied: await work.apply(data.suppressed) });
    }
  } catch (error) {
    send({ type: 'failed', error: sentError(error) });
  }
};

function send(message: FromWorker): void {
  self.postMessage(message);
}
