import { within } from '../patience.ts';
import { startWorker } from '../workers.ts';

export type CheckpointOrder = { order: 'start'; file: string } | { order: 'restart' } | { order: 'stop' };

/** 32 MiB in pages of 4 KiB: beyond it, PASSIVE checkpoints have fallen behind and the writer makes room for a RESTART. */
const RESTART_PAGES = 8192;

/** The writer waits no longer than this: a log that stays long for a while costs space alone. */
const PATIENCE_MS = 1000;
/** A reader's snapshot can keep the log from starting anew: the next try is then not sooner than this. */
const BETWEEN_RESTARTS_MS = 250;

/** The writer's side of the checkpointer. The Worker starts with the first write: a server that only reads has none. */
export class Checkpoints {
  private worker: Worker | null = null;
  private restartAt = 0;
  private whenAnswered: (() => void) | null = null;

  /**
   * `logPages` tells how many pages the log has now; `failed` hears of a Worker that cannot run: the log then grows,
   * and somebody must know.
   */
  constructor(
    private readonly file: string,
    private readonly logPages: () => number,
    private readonly failed: (error: unknown) => void,
  ) {}

  /** Between two groups: nothing, or a promise to await while the log is started anew. */
  pause(): Promise<void> | undefined {
    this.worker ??= this.start();
    if (this.logPages() <= RESTART_PAGES) {
      this.restartAt = 0;
      return undefined;
    }
    if (performance.now() < this.restartAt) return undefined;
    this.restartAt = performance.now() + BETWEEN_RESTARTS_MS;
    return this.answered({ order: 'restart' });
  }

  /** Lets the Worker finish and close its connection. */
  async stop(): Promise<void> {
    if (this.worker === null) return;
    await this.answered({ order: 'stop' });
    this.worker.terminate();
    this.worker = null;
  }

  /** Sends an order and waits for its answer, not for ever. */
  private answered(order: CheckpointOrder): Promise<void> {
    const answer = new Promise<void>((resolve) => {
      this.whenAnswered = resolve;
      this.worker?.postMessage(order);
    });
    return within(answer, PATIENCE_MS, () => undefined);
  }

  private start(): Worker {
    const worker = startWorker('checkpointer');
    worker.onmessage = () => this.whenAnswered?.();
    worker.onerror = ({ message }) => {
      this.whenAnswered?.();
      this.failed(new Error(`the checkpointer failed: ${message}`));
    };
    worker.unref();
    worker.postMessage({ order: 'start', file: this.file } satisfies CheckpointOrder);
    return worker;
  }
}
