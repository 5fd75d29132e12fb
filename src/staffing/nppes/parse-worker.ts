/** Entry point of the Worker that parses a dissemination file. It loads no server code. */
import { asFailure } from '../../platform/failure.ts';
import { RowMemory } from '../../platform/memory/row-memory.ts';
import type { FromParser, ToParser } from './messages.ts';
import { textOf } from './reading/batch-text.ts';
import { parseDissemination } from './reading/parse.ts';
import type { DisseminationOptions } from './rows.ts';

declare const self: Worker;

/** The number of batches that may be sent, and the function that continues when there is one more. */
let allowed = 0;
let resume: (() => void) | null = null;

self.onmessage = ({ data }: MessageEvent<ToParser>) => {
  if (data !== 'next') {
    void parse(data.path, data.options);
    return;
  }
  allowed++;
  resume?.();
};

async function parse(path: string, options: DisseminationOptions): Promise<void> {
  try {
    const { facts, batches } = await parseDissemination(path, options);
    send({ kind: 'facts', facts });
    const memory = new RowMemory();
    for await (const { rows, lost, bytesRead } of batches) {
      while (allowed === 0) await nextAllowed();
      allowed--;
      send({ kind: 'batch', text: textOf(rows), lost, bytesRead });
      memory.used(rows.length);
    }
    send({ kind: 'end' });
  } catch (error) {
    const { message, hint, exitCode } = asFailure(error);
    send({ kind: 'failure', message, hint, exitCode });
  }
}

function nextAllowed(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  resume = resolve;
  return promise;
}

function send(message: FromParser): void {
  self.postMessage(message);
}
