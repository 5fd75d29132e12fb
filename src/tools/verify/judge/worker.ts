/**
 * The worker that verifies chunks of receipts. The first message has the options: keys, time and domain, and
 * whether the receipts are to be compared with a log. Every other message is a chunk of whole lines; the
 * worker posts its report.
 */
import { nativePrimitives } from '../../../platform/crypto/crypto.ts';
import { judgeLines, type LineOptions, listLines } from '../../../proof/verifier/judge/chunk.ts';

declare const self: Worker;

/** What the worker does with every chunk. */
export interface VerifierOptions {
  verdict: LineOptions;
  /** `judge` posts reports (`judgeLines`), `list` what the lines say (`listLines`). */
  task: 'judge' | 'list';
}

let options: VerifierOptions | null = null;

self.onmessage = ({ data }: MessageEvent<VerifierOptions | Uint8Array>) => {
  if (!(data instanceof Uint8Array)) options = data;
  else if (options === null) throw new Error('a chunk arrived before the options');
  else if (options.task === 'judge') self.postMessage(judgeLines(nativePrimitives, data, options.verdict));
  else self.postMessage(listLines(nativePrimitives, data, options.verdict));
};
