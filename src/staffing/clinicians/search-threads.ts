import type { RegistryHandle, ServedFile } from '../registry/handle.ts';
import type { PageRequest, RenderedPage } from './page.ts';

export type { ServedFile } from '../registry/handle.ts';

/** A page that a thread rendered: also the file, and the state of the file, to which it belongs. */
export interface ThreadPage extends RenderedPage {
  path: string;
  state: number;
}

/** What the main thread sends: the file to serve, or pages to render. */
export type ThreadMessage = ServedFile | { requests: PageRequest[] };

/** A thread reports a row that is no public record. */
export interface SkippedRowMessage {
  npi: number;
  isLast: boolean;
}

/** The requests that a thread has at most; the main thread serves further ones itself. */
const MAX_WAITING = 6;
/** A thread without requests for this time ends, and its memory is free again. */
const IDLE_MS = 60_000;
/** After a thread failed, none is started for this time. */
const PAUSE_MS = 10_000;

type Waiting = PromiseWithResolvers<ThreadPage | null>;

interface Thread {
  worker: Worker;
  /** Requests that go with the next message. */
  next: PageRequest[];
  /** The promises of all pages that it has not sent, in order. */
  waiting: Waiting[];
}

/** The parts of a search's threads that tests replace. */
export interface ThreadOptions {
  start(): Worker;
  /** Returns whether other requests wait for the main thread. */
  isBusy(): boolean;
}

/**
 * Renders pages in Workers while the main thread is busy. Workers start when they are first needed and end
 * when they have nothing to do.
 */
export class SearchThreads {
  private readonly threads: Thread[] = [];
  private idle: Timer | null = null;
  private pausedUntil = 0;
  private wasUsed = false;
  private isEnded = false;

  constructor(
    private readonly registry: RegistryHandle,
    private readonly size: number,
    private readonly options: ThreadOptions,
  ) {
    registry.onServe((file) => {
      for (const { worker } of this.threads) worker.postMessage(file satisfies ThreadMessage);
    });
  }

  /** Whether threads shall render pages now. */
  get isWanted(): boolean {
    return this.size > 0 && !this.isEnded && this.options.isBusy();
  }

  /**
   * Renders a page in a thread; null when the caller must do it: because no thread is free, or because it
   * failed.
   */
  page(request: PageRequest): Promise<ThreadPage | null> | null {
    if (this.isEnded) return null;
    const thread = this.freeThread();
    if (thread === null) return null;
    const page: Waiting = Promise.withResolvers();
    thread.waiting.push(page);
    // Requests of one turn of the event loop go in one message.
    if (thread.next.push(request) === 1) queueMicrotask(() => this.send(thread));
    this.wasUsed = true;
    return page.promise;
  }

  /** Ends all threads. Requests under way resolve to null. */
  end(): void {
    this.isEnded = true;
    if (this.idle !== null) clearInterval(this.idle);
    for (const thread of [...this.threads]) this.drop(thread);
  }

  private send(thread: Thread): void {
    const requests = thread.next.splice(0);
    if (requests.length > 0) thread.worker.postMessage({ requests } satisfies ThreadMessage);
  }

  private freeThread(): Thread | null {
    let best: Thread | null = null;
    for (const thread of this.threads) {
      if (best === null || thread.waiting.length < best.waiting.length) best = thread;
    }
    if (best !== null && best.waiting.length === 0) return best;
    if (this.threads.length < this.size && performance.now() >= this.pausedUntil) return this.startThread();
    return best !== null && best.waiting.length < MAX_WAITING ? best : null;
  }

  private startThread(): Thread | null {
    const { served } = this.registry;
    if (served === null) return null;
    const worker = this.options.start();
    const thread: Thread = { worker, next: [], waiting: [] };
    const failed = (): void => {
      this.pausedUntil = performance.now() + PAUSE_MS;
      this.drop(thread);
    };
    worker.onmessage = ({ data }: MessageEvent<(ThreadPage | null)[] | SkippedRowMessage>) => {
      if (Array.isArray(data)) for (const page of data) thread.waiting.shift()?.resolve(page);
      else this.registry.rowSkipped(data.npi, data.isLast);
    };
    worker.onmessageerror = failed;
    worker.onerror = failed;
    worker.addEventListener('close', () => {
      if (this.threads.includes(thread)) failed();
    });
    worker.postMessage(served satisfies ThreadMessage);
    this.threads.push(thread);
    this.idle ??= setInterval(() => this.endIdle(), IDLE_MS);
    this.idle.unref();
    return thread;
  }

  private endIdle(): void {
    if (!this.wasUsed) for (const thread of [...this.threads]) this.drop(thread);
    this.wasUsed = false;
  }

  private drop(thread: Thread): void {
    const index = this.threads.indexOf(thread);
    if (index >= 0) this.threads.splice(index, 1);
    thread.worker.terminate();
    for (const page of thread.waiting.splice(0)) page.resolve(null);
  }
}
