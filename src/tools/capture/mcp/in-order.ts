import type { Sink } from './sink.ts';

/** Bytes that wait for their turn. `mayGo` says whether they go on at all. */
interface Waiting {
  bytes: Uint8Array;
  mayGo: Promise<boolean> | null;
}

/** How much is read ahead of what waits: bytes, and lines that wait for a receipt. */
const MAX_BYTES = 16 * 2 ** 20;
const MAX_HELD = 128;

/**
 * Writes bytes in the order in which they came. Some wait until they may go on, and what follows them waits
 * too.
 */
export class InOrder {
  private readonly queue: Waiting[] = [];
  private bytes = 0;
  private held = 0;
  private isDraining = false;
  private onProgress: (() => void)[] = [];

  constructor(private readonly sink: Sink) {}

  /** Takes bytes, which go on as soon as what came before them has. */
  push(bytes: Uint8Array): void {
    if (this.isDraining) this.enqueue(bytes, null);
    else this.sink.write(bytes);
  }

  /** Takes bytes which go on, or are dropped, when the promise says so. The promise must not reject. */
  hold(bytes: Uint8Array, mayGo: Promise<boolean>): void {
    this.held++;
    this.enqueue(bytes, mayGo);
    if (!this.isDraining) void this.drain();
  }

  /** Writes what need not wait. A promise resolves when so little waits that more may be taken. */
  room(): Promise<void> | undefined {
    if (!this.isDraining) return this.sink.flush();
    return this.isFull() ? this.emptied() : undefined;
  }

  /** Resolves when everything was written or dropped. */
  async settled(): Promise<void> {
    while (this.isDraining) await this.progress();
    await this.sink.flush();
  }

  private isFull(): boolean {
    return this.bytes > MAX_BYTES || this.held >= MAX_HELD;
  }

  private async emptied(): Promise<void> {
    while (this.isFull()) await this.progress();
  }

  private enqueue(bytes: Uint8Array, mayGo: Promise<boolean> | null): void {
    this.queue.push({ bytes, mayGo });
    this.bytes += bytes.length;
  }

  private async drain(): Promise<void> {
    this.isDraining = true;
    for (let first = this.queue.shift(); first !== undefined; first = this.queue.shift()) {
      const { bytes, mayGo } = first;
      if (mayGo === null) this.sink.write(bytes);
      else {
        // What was written before goes on while this waits.
        const flushed = this.sink.flush();
        if (await mayGo) this.sink.write(bytes);
        this.held--;
        await flushed;
      }
      if (this.queue.length === 0 || bytes.length >= 65_536) await this.sink.flush();
      this.bytes -= bytes.length;
      this.made();
    }
    this.isDraining = false;
    this.made();
  }

  private progress(): Promise<void> {
    return new Promise((resolve) => {
      this.onProgress.push(resolve);
    });
  }

  private made(): void {
    const waiting = this.onProgress;
    this.onProgress = [];
    for (const resolve of waiting) resolve();
  }
}
