import { startWorker } from '../../../platform/workers/workers.ts';
import { SAMPLE } from './extent.ts';
import { packedSample, unpackedSample, writeUnpacked } from './packed.ts';

/** The directory of the registry, and the number of clinicians. */
export interface SampleOrder {
  directory: string;
  clinicians: number;
}

/** What the Worker sends: null if it succeeded; else the error, with the code of a system error: ENOSPC. */
export interface SampleResult {
  problem: { message: string; code: string | null } | null;
}

/**
 * Prepares the first `clinicians` of the sample as the registry of a directory without one, in another
 * thread. The executable contains the whole sample. A part of it is built, as is the whole when the program
 * runs from source.
 * @returns a function that writes the registry. @throws Error with the code of a system error
 */
export function prepareSample(order: SampleOrder): () => Promise<void> {
  const packed = order.clinicians === SAMPLE.clinicians ? packedSample() : null;
  if (packed === null) return () => buildInWorker(order);
  const unpacked = unpackedSample(packed);
  // It is awaited later. Until then, a rejection must not count as unhandled.
  unpacked.catch(() => undefined);
  return async () => writeUnpacked(order.directory, await unpacked);
}

/** Builds the sample in a Worker, whose memory ends with it: in the serving thread, 60 MB would stay. */
async function buildInWorker(order: SampleOrder): Promise<void> {
  const worker = startWorker('sampler', true);
  try {
    const { problem } = await new Promise<SampleResult>((resolve) => {
      worker.onmessage = ({ data }) => resolve(data);
      worker.onerror = ({ message }) => resolve({ problem: { message, code: null } });
      worker.postMessage(order);
    });
    if (problem === null) return;
    throw Object.assign(new Error(problem.message), problem.code === null ? {} : { code: problem.code });
  } finally {
    worker.terminate();
  }
}
