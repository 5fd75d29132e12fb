/**
 * The Worker that judges chunks of receipts on a thread of its own. The first message says by which keys, time and
 * domain; every other is a chunk of whole lines and is answered with its report.
 */
import type { VerdictOptions } from '../../../proof/receipt/verdict.ts';
import { judgeLines } from './judge.ts';

declare const self: Worker;

let options: VerdictOptions | null = null;

self.onmessage = ({ data }: MessageEvent<VerdictOptions | Uint8Array>) => {
  if (!(data instanceof Uint8Array)) options = data;
  else if (options === null) throw new Error('a chunk came before the keys');
  else self.postMessage(judgeLines(data, options));
};
