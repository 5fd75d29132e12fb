import { WorkerPool } from '../../../platform/workers/worker-pool.ts';
import { startWorker } from '../../../platform/workers/workers.ts';
import type { VerifierOptions } from './worker.ts';

/** Returns a pool of Workers, one for each core. @param options their task, which determines their results */
export function verifierPool<Result>(options: VerifierOptions): WorkerPool<Uint8Array<ArrayBuffer>, Result> {
  return new WorkerPool(
    () => {
      const worker = startWorker('verifier');
      worker.postMessage(options);
      return worker;
    },
    Math.max(navigator.hardwareConcurrency, 1),
  );
}
