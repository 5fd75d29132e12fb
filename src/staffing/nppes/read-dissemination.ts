import { Failure } from '../../platform/failure.ts';
import { startWorker } from '../../platform/workers/workers.ts';
import type { FromParser, ToParser } from './messages.ts';
import { RowTexts } from './reading/batch-text.ts';
import type { Dissemination, DisseminationFacts, DisseminationOptions, RowBatch } from './rows.ts';

/** The number of batches of 2,048 rows that the Worker may be ahead. */
const AHEAD = 4;

/**
 * Opens a dissemination file of NPPES, a CSV or the zip that contains it, and parses it in a Worker. Its
 * batches come in the order of the file; the Worker waits for the reader, so that memory is bounded.
 *
 * @throws Failure for a file that is not one of NPPES; while iterating, for one that ends in the middle of a
 * row, and a damaged zip
 */
export async function readDissemination(path: string, options: DisseminationOptions): Promise<Dissemination> {
  const parser = new Parser();
  try {
    parser.send({ path, options: { groupings: options.groupings, taxonomy: taxonomyOf(options) } });
    const first = await parser.receive();
    if (first.kind !== 'facts') throw new Failure('the file has no header', 'specify a file of NPPES');
    return new WorkerDissemination(first.facts, parser);
  } catch (error) {
    parser.end();
    throw error;
  }
}

function taxonomyOf({ groupings, taxonomy }: DisseminationOptions): DisseminationOptions['taxonomy'] {
  return groupings === null ? [] : taxonomy.map(({ code, grouping }) => ({ code, grouping }));
}

class WorkerDissemination implements Dissemination {
  constructor(
    readonly facts: DisseminationFacts,
    private readonly parser: Parser,
  ) {}

  async *[Symbol.asyncIterator](): AsyncGenerator<RowBatch> {
    const texts = new RowTexts();
    try {
      for (let batch = 0; batch < AHEAD; batch++) this.parser.send('next');
      while (true) {
        const message = await this.parser.receive();
        if (message.kind !== 'batch') return;
        const { text, lost, bytesRead } = message;
        yield { rows: texts.rowsOf(text), lost, bytesRead };
        this.parser.send('next');
      }
    } finally {
      this.close();
    }
  }

  close(): void {
    this.parser.end();
  }
}

/** The Worker, with its messages in a queue. */
class Parser {
  private readonly worker = startWorker('nppesParser');
  private readonly received: FromParser[] = [];
  private waiting: (() => void) | null = null;
  private isEnded = false;

  constructor() {
    this.worker.onmessage = ({ data }: MessageEvent<FromParser>) => this.add(data);
    this.worker.onerror = ({ message }) => this.add(failureOf(message));
    this.worker.addEventListener('close', () => this.add(failureOf('it ended')));
  }

  send(message: ToParser): void {
    if (!this.isEnded) this.worker.postMessage(message);
  }

  /** Returns the next message. @throws Failure that the Worker reports */
  async receive(): Promise<FromParser> {
    while (this.received.length === 0) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.waiting = resolve;
      await promise;
    }
    const message = this.received.shift() ?? failureOf('it ended');
    if (message.kind === 'failure') throw new Failure(message.message, message.hint, message.exitCode);
    return message;
  }

  end(): void {
    if (this.isEnded) return;
    this.isEnded = true;
    this.worker.terminate();
    this.add({ kind: 'end' });
  }

  private add(message: FromParser): void {
    this.received.push(message);
    this.waiting?.();
  }
}

function failureOf(cause: string): FromParser {
  const message = `the thread that reads the file failed: ${cause}`;
  return { kind: 'failure', message, hint: 'run the import again, and report the error', exitCode: 1 };
}
