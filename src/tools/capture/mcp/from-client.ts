import type { JsonObject, JsonValue } from '../../../proof/encoding/json.ts';
import type { InOrder } from './in-order.ts';
import { Lines, type Piece } from './lines.ts';
import type { Messages } from './message.ts';
import type { OpenCalls, Tracked } from './open-calls.ts';

/** What happens to a call without a receipt: it goes on (`pass`), or is refused (`block`). */
export type OnFailure = 'pass' | 'block';

/** Lines up to this size, in bytes, are always read: it takes less than 0.2 ms. */
const ALWAYS_READ = 2 ** 16;
/** What a line contains if a message in it matters: a method's name, or escapes that can spell one. */
const MARKS = ['tools/call', 'tasks/', '\\u', '\\/'];
/** An error of the JSON-RPC implementation; the first of those that it may define itself. */
const NO_RECEIPT = -32000;

/** The way from the client to the server: bytes go on unchanged and in order, a call after its receipt. */
export class FromClient {
  private readonly lines = new Lines();

  /** @param refuse writes a line to the client */
  constructor(
    private readonly server: InOrder,
    private readonly calls: OpenCalls,
    private readonly onFailure: OnFailure,
    private readonly refuse: (line: string) => void,
  ) {}

  /** Takes bytes of the client. Resolves when more may come. */
  async take(chunk: Uint8Array): Promise<void> {
    for (const piece of this.lines.of(chunk)) {
      const room = this.goesOn(piece) ? this.server.room() : undefined;
      if (room !== undefined) await room;
    }
    const room = this.server.room();
    if (room !== undefined) await room;
  }

  /** Takes the end of the client's input. Resolves when all of it went on. */
  async end(): Promise<void> {
    for (const piece of this.lines.rest()) this.goesOn(piece);
    await this.server.settled();
  }

  /** Has a piece go on. @returns whether it waits for a receipt */
  private goesOn(piece: Piece): boolean {
    const messages = this.mayMatter(piece) ? piece.read?.() : undefined;
    const tracked = messages?.messages.map((message) => this.calls.fromClient(message)).filter(isCall);
    if (messages === undefined || tracked === undefined || tracked.length === 0) {
      this.server.push(piece.bytes);
      return false;
    }
    this.server.hold(piece.bytes, this.mayGo(messages, tracked));
    return true;
  }

  private mayMatter({ bytes, length }: Piece): boolean {
    if (length <= ALWAYS_READ || length > bytes.length || this.calls.awaitAnswer) return true;
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    return MARKS.some((mark) => buffer.includes(mark));
  }

  private async mayGo(messages: Messages, tracked: readonly Tracked[]): Promise<boolean> {
    const recorded = await Promise.all(tracked.map(({ call }) => call.recorded));
    if (this.onFailure === 'pass' || recorded.every((state) => state === 'issued')) return true;
    const reason = recorded.includes('nothing')
      ? 'no receipt could be issued, and no entry could be written to the spool'
      : 'no receipt could be issued';
    for (const call of tracked) this.calls.drop(call, reason);
    const error = { code: NO_RECEIPT, message: `countersign: the call was not made: ${reason}` };
    const errors = messages.messages.flatMap(({ value: { id, method } }): JsonObject[] =>
      id === undefined || method === undefined ? [] : [{ jsonrpc: '2.0', id, error }],
    );
    const response: JsonValue | undefined = messages.isBatch ? errors : errors[0];
    if (errors.length > 0 && response !== undefined) this.refuse(JSON.stringify(response));
    return false;
  }
}

function isCall(tracked: Tracked | null): tracked is Tracked {
  return tracked !== null;
}
