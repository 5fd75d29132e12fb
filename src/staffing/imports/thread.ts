import { Failure } from '../../platform/failure.ts';
import { startWorker } from '../../platform/workers/workers.ts';
import { Refused } from './rules.ts';
import type { Task } from './task.ts';
import {
  type Applied,
  Cancelled,
  type Places,
  type Prepared,
  type StartWork,
  type WorkEvent,
} from './work.ts';

/** What the Worker of an import is sent: the task, then the orders of its steps, one after the other. */
export type ToWorker =
  | { order: 'open'; task: Task; places: Places; cancelled: SharedArrayBuffer; hasPriority: boolean }
  | { order: 'prepare' | 'apply'; suppressed: readonly number[] };

/** What it sends: events, and one result for each step. */
export type FromWorker =
  | { type: 'event'; event: WorkEvent }
  | { type: 'prepared'; prepared: Prepared }
  | { type: 'applied'; applied: Applied }
  | { type: 'failed'; error: SentError };

/** An error that crosses threads, which keep the message only. */
export interface SentError {
  kind: 'cancelled' | 'refused' | 'failed';
  message: string;
  hint: string | null;
  /** The code of a system error or of SQLite's, such as ENOSPC. */
  code: string | null;
}

/**
 * Returns a function that runs an import in a Worker, so that the thread that serves requests has nothing of
 * the work.
 * @param hasPriority whether the Worker gets as much of the processors as other threads; false in a server
 */
export const startInWorker =
  (hasPriority: boolean): StartWork =>
  (task, places, onEvent) => {
    const worker = startWorker('importer', true);
    // One word of memory that both threads have: the Worker is busy for minutes and reads no messages
    // meanwhile.
    const cancelled = new SharedArrayBuffer(4);
    let step: PromiseWithResolvers<FromWorker> | null = null;
    const fail = (cause: string): void => {
      const hint = 'import the file again; if it fails again, report the error';
      step?.reject(new Failure(`the thread of the import failed: ${cause}`, hint));
    };
    worker.onmessage = ({ data }: MessageEvent<FromWorker>) => {
      if (data.type === 'event') onEvent(data.event);
      else if (data.type === 'failed') step?.reject(receivedError(data.error));
      else step?.resolve(data);
    };
    worker.onerror = ({ message }) => fail(message);
    worker.addEventListener('close', () => fail('it ended'));
    const send = (message: ToWorker): void => worker.postMessage(message);
    send({ order: 'open', task, places, cancelled, hasPriority });
    const run = (order: 'prepare' | 'apply', suppressed: readonly number[]): Promise<FromWorker> => {
      step = Promise.withResolvers();
      send({ order, suppressed });
      return step.promise;
    };
    return {
      async prepare(suppressed) {
        const result = await run('prepare', suppressed);
        if (result.type !== 'prepared') throw new Error('the Worker sent the result of another step');
        return result.prepared;
      },
      async apply(suppressed) {
        const result = await run('apply', suppressed);
        if (result.type !== 'applied') throw new Error('the Worker sent the result of another step');
        return result.applied;
      },
      cancel: () => void Atomics.store(new Int32Array(cancelled), 0, 1),
      end() {
        worker.terminate();
        fail('it ended');
      },
    };
  };

/** Returns what of an error crosses threads. */
export function sentError(error: unknown): SentError {
  const message = error instanceof Error ? error.message : String(error);
  const hint = error instanceof Failure ? error.hint : null;
  const code = error instanceof Error && 'code' in error ? String(error.code) : null;
  if (error instanceof Cancelled) return { kind: 'cancelled', message, hint, code };
  return { kind: error instanceof Refused ? 'refused' : 'failed', message, hint, code };
}

/** Returns the error that another thread sent. */
export function receivedError({ kind, message, hint, code }: SentError): Error {
  if (kind === 'cancelled') return new Cancelled();
  if (kind === 'refused') return new Refused(message, hint);
  if (code === null)
    return new Failure(message, hint ?? 'import the file again; if it fails again, report the error');
  return Object.assign(new Error(message), { code });
}
