import type { JsonObject } from '../../../../proof/encoding/json.ts';
import type { TaskChannel } from './channel.ts';
import type { StreamForm } from './form.ts';

/** A comment of SSE, which keeps a connection open through proxies. */
const KEEP_ALIVE = ':\n\n';
/** One for all: it holds no state. */
const utf8 = new TextEncoder();

/** What checks that the caller of a stream still may follow the task. */
export interface StreamAuthority {
  isActive(): Promise<boolean>;
}

export interface StreamOptions {
  /** The id of the call, as JSON. */
  id: string;
  form: StreamForm;
  isPublic: boolean;
  endsAtInput: boolean;
  /** null for a caller without a key. */
  authority: StreamAuthority | null;
  /** Called once, when the stream has ended or its client has left. */
  closed(): void;
}

/**
 * A stream of Server-Sent Events, each a JSON-RPC response. It holds no event that its client has not read:
 * it takes the next from its channel when the client has taken the one before.
 */
export class TaskStream {
  private pending: string;
  private isOver: boolean;
  private isClosed = false;
  /** Continues a reader that waits for an event; null while the client has not taken the last one. */
  private wake: (() => void) | null = null;

  /**
   * @param beginning the first results, as JSON
   * @param channel null for a task that tells nothing more
   * @param position the number of the first event of the channel that the beginning may not have
   */
  constructor(
    private readonly options: StreamOptions,
    beginning: readonly string[],
    private readonly channel: TaskChannel | null,
    private position: number,
  ) {
    this.pending = beginning.map((result) => this.eventOf(result)).join('');
    this.isOver = channel === null;
  }

  get authority(): StreamAuthority | null {
    return this.options.authority;
  }

  /** Lets a waiting reader take what there is. Returns at once. */
  notify(): void {
    const { wake } = this;
    this.wake = null;
    wake?.();
  }

  /** Sends a comment, unless the client has not even taken the last event. */
  keepAlive(): void {
    if (this.wake === null) return;
    this.pending = KEEP_ALIVE;
    this.notify();
  }

  /** Ends the stream. @param error what its client is told; null for nothing */
  end(error: JsonObject | null = null): void {
    if (this.isOver) return;
    if (error !== null)
      this.pending += `data: {"jsonrpc":"2.0","id":${this.options.id},"error":${JSON.stringify(error)}}\n\n`;
    this.isOver = true;
    this.notify();
  }

  /** Returns the body of the response. */
  body(): ReadableStream<Uint8Array> {
    return new ReadableStream<Uint8Array>(
      {
        pull: async (controller) => {
          while (!this.isClosed) {
            const text = this.take();
            if (text !== '') controller.enqueue(utf8.encode(text));
            if (this.isOver) {
              this.close();
              controller.close();
            }
            if (text !== '') return;
            if (!this.isClosed) await new Promise<void>((resolve) => (this.wake = resolve));
          }
        },
        cancel: () => this.close(),
      },
      { highWaterMark: 0 },
    );
  }

  /** Says that its client has left. */
  close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.isOver = true;
    this.options.closed();
    this.notify();
  }

  /** Returns what is to be sent now; empty for nothing. */
  private take(): string {
    const text = this.pending;
    this.pending = '';
    if (this.channel === null || this.isOver) return text;
    const { texts, next, isLast } = this.channel.textsFrom(this.position, this.options);
    this.position = next;
    this.isOver = isLast;
    return text + texts.map((result) => this.eventOf(result)).join('');
  }

  private eventOf(result: string): string {
    return `data: {"jsonrpc":"2.0","id":${this.options.id},"result":${result}}\n\n`;
  }
}
