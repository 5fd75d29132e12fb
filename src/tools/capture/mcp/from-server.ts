import { NEWLINE } from './lines.ts';
import type { OpenCalls } from './open-calls.ts';
import { type ServerLine, ServerLines } from './server-lines.ts';
import type { Sink } from './sink.ts';

/** The bytes of a line that are kept while nothing waits: a call may begin before the rest of it comes. */
const KEPT = 2 ** 16;

/** The way from the server to the client: bytes go on at once, and are read afterwards where they matter. */
export class FromServer {
  private lines = new ServerLines();
  /** Whether the last byte that went to the client is within a line. */
  private isWithinLine = false;
  /** Whether the rest of the current line is not read, because its beginning was not. */
  private isSkipping = false;
  private additions: Uint8Array[] = [];

  /** @param notice writes a notice for people */
  constructor(
    private readonly client: Sink,
    private readonly calls: OpenCalls,
    private readonly notice: (text: string) => void,
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
    if (this.calls.areWaiting && !this.isSkipping) for (const line of this.lines.rest()) this.receive(line);
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
    const rest = this.calls.areWaiting ? chunk : this.unread(chunk);
    for (const line of this.lines.of(this.unskipped(rest))) this.receive(line);
    if (this.calls.areWaiting || this.lines.unfinished <= KEPT) return;
    this.lines = new ServerLines();
    this.isSkipping = true;
  }

  /** Passes over the lines that a chunk completes. @returns the line that has no end yet */
  private unread(chunk: Uint8Array): Uint8Array {
    const end = chunk.lastIndexOf(NEWLINE) + 1;
    if (end === 0) return chunk;
    this.lines = new ServerLines();
    this.isSkipping = false;
    return chunk.subarray(end);
  }

  private unskipped(chunk: Uint8Array): Uint8Array {
    if (!this.isSkipping) return chunk;
    const end = chunk.indexOf(NEWLINE) + 1;
    if (end === 0) return new Uint8Array();
    this.isSkipping = false;
    return chunk.subarray(end);
  }

  /** Reads a line. No error in reading or recording stops what the server writes. */
  private receive({ messages, isBatch, unread }: ServerLine): void {
    if (isBatch && !this.calls.acceptBatches) return;
    try {
      if (unread !== undefined) this.calls.unread(unread);
      for (const message of messages) this.calls.fromServer(message);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.notice(`a message of the server cannot be recorded: ${reason}`);
    }
  }
}
