import { startWorker } from '../../../platform/workers/workers.ts';

/** What the Worker sends: null if it succeeded; else the error, with the code of a system error: ENOSPC. */
export interface SampleResult {
  problem: { message: string; code: string | null } | null;
}

/**
 * Writes the sample registry into a directory in a Worker, whose memory ends with it: in the serving thread,
 * 60 MB would stay.
 * @throws Error with the code of a system error
 */
export async function writeSample(directory: string): Promise<void> {
  const worker = startWorker('sampler', true);
  try {
    const { problem } = await new Promise<SampleResult>((resolve) => {
      worker.onmessage = ({ data }) => resolve(data);
      worker.onerror = ({ message }) => resolve({ problem: { message, code: null } });
      worker.postMessage({ directory });
    });
    if (problem === null) return;
    throw Object.assign(new Error(problem.message), problem.code === null ? {} : { code: problem.code });
  } finally {
    worker.terminate();
  }
}
