import { wholeLines } from '../../../proof/verifier/judge/lines.ts';
import type { Lines } from '../values/inputs.ts';

/** Returns a list that is read while it is judged. @param size in bytes; 0 if it is unknown */
export function linesFrom(source: AsyncIterable<Uint8Array>, size: number): Lines {
  let bytesRead = 0;
  async function* counted(): AsyncGenerator<Uint8Array<ArrayBuffer>> {
    for await (const chunk of wholeLines(source)) {
      bytesRead += chunk.length;
      yield chunk;
    }
  }
  return { chunks: counted(), share: () => (size > 0 ? bytesRead / size : null) };
}
