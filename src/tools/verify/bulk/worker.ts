/**
 * The worker that verifies chunks of receipts. The first message has the options: keys, time and domain. Every other message is a
 * chunk of whole lines; the worker posts its report.
 */
import type { VerdictOptions } from '../../../proof/receipt/verdict.ts';
import { judgeLines } from './judge.ts';

declare const self: Worker;

let options: VerdictOptions | null = null;

self.onmessage = ({ data }: MessageEvent<VerdictOptions | Uint8Array>) => {
  if (!(data instanceof Uint8Array)) options = data;
  else if (options === null) throw new Error('a chunk arrived before the options');
  else self.postMessage(judgeLines(data, options));
};
