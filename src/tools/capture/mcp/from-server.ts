import { Lines, NEWLINE, type Piece } from './lines.ts';
import type { OpenCalls } from './open-calls.ts';
import type { Sink } from './sink.ts';

/** The way from the server to the client: bytes go on at once, and are read afterwards where they matter. */
export class FromServer {
  private lines = new Lines();
  /** Whether the last byte that went to the client is within a line. */
  private isWithinLine = false;
  /** Whether the rest of the current line is not read, because its beginning was not. */
  private isSkipping = false;
  private additions: Uint8Array[] = [];

  constructor(
    private readonly client: Sink,
    private readonly calls: OpenCalls,
  ) {}

  /** Takes bytes of the server. A promise resolves when the client has made room for more. */
  take(chunk: Uint8Array): Promise<void> | undefined {
    this.copy(chunk);
    const flushed = this.client.flush();
    this.read(chunk);
    return flushed;
  }

  /** Writes a line of our own to the client, between two lines of the server. */
  add(line: string): void {
    this.additions.push(new TextEncoder().encode(`${line}\n`));
    if (!this.isWithinLine) this.writeAdditions();
  }

  /** Takes the end of the server's output. */
  end(): void {
    if (this.calls.areWaiting && !this.isSkipping)
      for (const { read } of this.lines.rest()) this.receive(read);
    if (this.additions.length === 0) return;
    this.client.write(Uint8Array.of(NEWLINE));
    this.writeAdditions();
  }

  private copy(chunk: Uint8Array): void {
    let rest = chunk;
    if (this.additions.length > 0) {
      const end = chunk.indexOf(NEWLINE) + 1;
      this.client.write(chunk.subarray(0, end === 0 ? chunk.length : end));
      if (end === 0) return;
      this.writeAdditions();
      rest = chunk.subarray(end);
    }
    if (rest.length > 0) this.client.write(rest);
    this.isWithinLine = chunk.at(-1) !== NEWLINE;
  }

  private writeAdditions(): void {
    for (const line of this.additions) this.client.write(line);
    this.additions = [];
    void this.client.flush();
  }

  private read(chunk: Uint8Array): void {
    if (!this.calls.areWaiting) {
      this.lines = new Lines();
      this.isSkipping = chunk.at(-1) !== NEWLINE;
      return;
    }
    let rest = chunk;
    if (this.isSkipping) {
      const end = chunk.indexOf(NEWLINE) + 1;
      if (end === 0) return;
      this.isSkipping = false;
      rest = chunk.subarray(end);
    }
    for (const { read } of this.lines.of(rest)) this.receive(read);
  }

  private receive(read: Piece['read']): void {
    if (read !== null) for (const message of read().messages) this.calls.fromServer(message);
  }
}
