import { withTimeout } from '../../time/timeout.ts';
import { startWorker } from '../../workers/workers.ts';

export type CheckpointRequest = { order: 'start'; file: string } | { order: 'restart' | 'halt' | 'stop' };

/**
 * A message of the Worker: the number of pages of the log that are not in the database file yet, or the end
 * of an order.
 */
export type CheckpointReport = { remaining: number } | 'done';

/**
 * The number of pages that opening the database writes (`WriteFence`). They are no reason to start the
 * Worker.
 */
const OPENING_PAGES = 1;
/** 32 MiB in pages of 4 KiB. A longer log is restarted, for which the writer must pause. */
const RESTART_PAGES = 8192;
/**
 * The number of pages that a RESTART moves within some milliseconds. After a long snapshot, such as a
 * backup's, thousands may remain: PASSIVE checkpoints move those without pausing the writer.
 */
const CHEAP_PAGES = 2048;
/** 1 GiB. For a longer log, a long pause is better than running out of disk space. */
const TOO_MANY_PAGES = 32 * RESTART_PAGES;

/** The maximum pause of the writer. A log that stays long only costs space. */
const TIMEOUT_MS = 1000;
/** The minimum time between two RESTARTs. A reader's snapshot can prevent one from succeeding. */
const BETWEEN_RESTARTS_MS = 250;

/**
 * The writer's side of the checkpointer. The Worker starts with the first pages to move; a read-only server
 * has none.
 */
export class Checkpoints {
  private worker: Worker | null = null;
  private restartAt = 0;
  private remaining = 0;
  private whenDone: (() => void) | null = null;
  private halted = false;

  /**
   * @param logPages returns the current number of pages in the log
   * @param failed is called when the Worker cannot run, because the log then grows
   */
  constructor(
    private readonly file: string,
    private readonly logPages: () => number,
    private readonly failed: (error: unknown) => void,
  ) {}

  /** Called between two groups. @returns a promise to await while the log is restarted, or undefined */
  pause(): Promise<void> | undefined {
    if (this.halted) return undefined;
    const pages = this.logPages();
    if (this.worker === null && pages <= OPENING_PAGES) return undefined;
    this.worker ??= this.start();
    if (pages <= RESTART_PAGES) {
      this.restartAt = 0;
      return undefined;
    }
    const tooDear = this.remaining > CHEAP_PAGES && pages <= TOO_MANY_PAGES;
    if (tooDear || performance.now() < this.restartAt) return undefined;
    this.restartAt = performance.now() + BETWEEN_RESTARTS_MS;
    return this.sendOrder({ order: 'restart' });
  }

  /** Starts no more checkpoints: a damaged log must not be moved into the database. */
  halt(): void {
    this.halted = true;
    this.worker?.postMessage({ order: 'halt' } satisfies CheckpointRequest);
  }

  /** Waits for the Worker to finish and close its connection. */
  async stop(): Promise<void> {
    if (this.worker === null) return;
    await this.sendOrder({ order: 'stop' });
    this.worker.terminate();
    this.worker = null;
  }

  /** Sends an order and waits for its end, at most TIMEOUT_MS. */
  private sendOrder(order: CheckpointRequest): Promise<void> {
    const done = new Promise<void>((resolve) => {
      this.whenDone = resolve;
      this.worker?.postMessage(order);
    });
    return withTimeout(done, TIMEOUT_MS, () => undefined);
  }

  private start(): Worker {
    const worker = startWorker('checkpointer');
    worker.onmessage = ({ data }: MessageEvent<CheckpointReport>) => {
      if (data === 'done') this.whenDone?.();
      else this.remaining = data.remaining;
    };
    worker.onerror = ({ message }) => {
      this.whenDone?.();
      this.failed(new Error(`the checkpointer failed: ${message}`));
    };
    worker.unref();
    worker.postMessage({ order: 'start', file: this.file } satisfies CheckpointRequest);
    return worker;
  }
}
