import { withTimeout } from '../../time/timeout.ts';
import { startWorker } from '../../workers/workers.ts';

export type CheckpointRequest = { order: 'start'; file: string } | { order: 'restart' | 'halt' | 'stop' };

/** What the Worker says: how many pages of the log are not in the database file yet, or that it did what was ordered. */
export type CheckpointReport = { remaining: number } | 'done';

/** What opening the database writes (`Tenure`), which is no reason to start. */
const OPENING_PAGES = 1;
/** 32 MiB in pages of 4 KiB: beyond it the log is worth starting anew, for which the writer has to pause. */
const RESTART_PAGES = 8192;
/**
 * So few pages that a RESTART moves them in some milliseconds. Behind a long snapshot, such as a backup's, there can be many
 * thousand: those are for PASSIVE checkpoints, beside the writer.
 */
const CHEAP_PAGES = 2048;
/** 1 GiB: from here on the disk's space is worth a pause, however long. */
const TOO_MANY_PAGES = 32 * RESTART_PAGES;

/** The writer waits no longer than this: a log that stays long for a while costs space alone. */
const PATIENCE_MS = 1000;
/** A reader's snapshot can keep the log from starting anew: the next try is then not sooner than this. */
const BETWEEN_RESTARTS_MS = 250;

/** The writer's side of the checkpointer. The Worker starts when there is something to move: a server that only reads has none. */
export class Checkpoints {
  private worker: Worker | null = null;
  private restartAt = 0;
  private remaining = 0;
  private whenAnswered: (() => void) | null = null;
  private halted = false;

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
    return this.answered({ order: 'restart' });
  }

  /** Starts no more checkpoints: a damaged log must not be moved into the database. */
  halt(): void {
    this.halted = true;
    this.worker?.postMessage({ order: 'halt' } satisfies CheckpointRequest);
  }

  /** Lets the Worker finish and close its connection. */
  async stop(): Promise<void> {
    if (this.worker === null) return;
    await this.answered({ order: 'stop' });
    this.worker.terminate();
    this.worker = null;
  }

  /** Sends an order and waits for its answer, not for ever. */
  private answered(order: CheckpointRequest): Promise<void> {
    const answer = new Promise<void>((resolve) => {
      this.whenAnswered = resolve;
      this.worker?.postMessage(order);
    });
    return withTimeout(answer, PATIENCE_MS, () => undefined);
  }

  private start(): Worker {
    const worker = startWorker('checkpointer');
    worker.onmessage = ({ data }: MessageEvent<CheckpointReport>) => {
      if (data === 'done') this.whenAnswered?.();
      else this.remaining = data.remaining;
    };
    worker.onerror = ({ message }) => {
      this.whenAnswered?.();
      this.failed(new Error(`the checkpointer failed: ${message}`));
    };
    worker.unref();
    worker.postMessage({ order: 'start', file: this.file } satisfies CheckpointRequest);
    return worker;
  }
}
