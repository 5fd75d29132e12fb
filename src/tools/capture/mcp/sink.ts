/** Where bytes go: a pipe to the server or to the client. */
export interface Sink {
  /** Takes bytes, which are written at once or with the next flush. @throws Error when nobody reads */
  write(bytes: Uint8Array): void;
  /** Writes what was taken. A promise resolves when the reader has made room. It rejects when nobody reads */
  flush(): Promise<void> | undefined;
  close(): void;
}

/** What Bun writes to a pipe with. */
interface FileSink {
  write(bytes: Uint8Array): number | Promise<number>;
  flush(): number | Promise<number>;
  end(): number | Promise<number>;
}

/** A pipe that is written to. After its reader has gone, it swallows what it gets, and says so once. */
export class Pipe implements Sink {
  private isBroken = false;

  constructor(
    private readonly sink: FileSink,
    private readonly onBroken: () => void,
  ) {}

  write(bytes: Uint8Array): void {
    if (this.isBroken) return;
    try {
      void this.watch(this.sink.write(bytes));
    } catch {
      this.broken();
    }
  }

  flush(): Promise<void> | undefined {
    if (this.isBroken) return undefined;
    try {
      return this.watch(this.sink.flush());
    } catch {
      this.broken();
      return undefined;
    }
  }

  close(): void {
    if (this.isBroken) return;
    try {
      void this.watch(this.sink.end());
    } catch {
      this.broken();
    }
  }

  private watch(written: number | Promise<number>): Promise<void> | undefined {
    if (typeof written === 'number') return undefined;
    return written.then(
      () => undefined,
      () => this.broken(),
    );
  }

  private broken(): void {
    if (this.isBroken) return;
    this.isBroken = true;
    this.onBroken();
  }
}
