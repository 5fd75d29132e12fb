/** Entry point of the Worker that builds a sample registry. */
import { loadSampleIfEmpty } from './load.ts';
import type { SampleOrder, SampleResult } from './write.ts';

declare const self: Worker;

self.onmessage = ({ data }: MessageEvent<SampleOrder>) => {
  const send = (result: SampleResult): void => self.postMessage(result);
  try {
    loadSampleIfEmpty(data.directory, data.clinicians);
    send({ problem: null });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const code = error instanceof Error && 'code' in error ? String(error.code) : null;
    send({ problem: { message, code } });
  }
};
