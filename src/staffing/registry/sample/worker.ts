/** Entry point of the Worker that writes the sample registry. */
import { loadSampleIfEmpty } from './load.ts';
import type { SampleResult } from './write.ts';

declare const self: Worker;

self.onmessage = ({ data }: MessageEvent<{ directory: string }>) => {
  const send = (result: SampleResult): void => self.postMessage(result);
  try {
    loadSampleIfEmpty(data.directory);
    send({ problem: null });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const code = error instanceof Error && 'code' in error ? String(error.code) : null;
    send({ problem: { message, code } });
  }
};
