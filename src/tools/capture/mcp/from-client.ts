import type { JsonObject, JsonValue } from '../../../proof/encoding/json.ts';
import { messageOf } from '../../../proof/log/problem.ts';
import type { InOrder } from './in-order.ts';
import { HOLDING, Lines } from './lines.ts';
import { isExactId, type Message, type Messages, mayCall } from './message.ts';
import type { OpenCalls, Tracked } from './open-calls.ts';
import type { Piece } from './piece.ts';

/** What happens to a call without a receipt: it goes on (`pass`), or is refused (`block`). */
export type OnFailure = 'pass' | 'block';

/** Lines up to this size, in bytes, are always read: it takes less than 0.2 ms. */
const ALWAYS_READ = 2 ** 16;
/** An error of the JSON-RPC implementation; the first of those that it may define itself. */
const NO_RECEIPT = -32000;
const NO_ENTRY = 'no receipt could be issued, and no entry could be written to the spool';

/** What `FromClient` says to people and to the client. */
export interface Says {
  /** Writes a line to the client. */
  refuse(line: string): void;
  /** Writes a notice for people. */
  notice(text: string): void;
}

/** The way from the client to the server: bytes go on unchanged and in order, a call after its receipt. */
export class FromClient {
  private readonly lines: Lines;
  /** Whether the last piece that was held goes on; null if it was not held. */
  private last: Promise<boolean> | null = null;

  constructor(
    private readonly server: InOrder,
    private readonly calls: OpenCalls,
    private readonly onFailure: OnFailure,
    private readonly says: Says,
  ) {
    this.lines = onFailure === 'block' ? new Lines(HOLDING) : new Lines();
  }

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
    if (piece.follows !== true) this.last = this.fateOf(piece);
    if (this.last === null) this.server.push(piece.bytes);
    else this.server.hold(piece.bytes, this.last);
    return this.last !== null;
  }

  /**
   * Reads a piece. @returns whether it goes on; null if that needs no receipt. No error in reading or
   * recording stops a message, unless calls without a receipt are to be refused
   */
  private fateOf(piece: Piece): Promise<boolean> | null {
    let messages: Messages | undefined;
    try {
      messages = this.mayMatter(piece) ? piece.read?.() : undefined;
      if (messages === undefined) return null;
      if (messages.isBatch) this.calls.acceptBatches = true;
      if (piece.isTooLong === true) return Promise.resolve(this.refused(messages, 'its line is too long'));
      const tracked = messages.messages.map((message) => this.calls.fromClient(message)).filter(isCall);
      return tracked.length === 0 ? null : this.mayGo(messages, tracked);
    } catch (error) {
      this.says.notice(`a message of the client cannot be recorded: ${messageOf(error)}`);
      const isCalled = messages?.messages.some((message) => message.isCall) ?? true;
      if (this.onFailure === 'pass' || !isCalled) return null;
      return Promise.resolve(this.refused(messages ?? { messages: [], isBatch: false }, NO_ENTRY));
    }
  }

  private mayMatter({ bytes, length }: Piece): boolean {
    if (length <= ALWAYS_READ || length > bytes.length || this.calls.awaitAnswer) return true;
    return mayCall(bytes) || Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes('tasks/');
  }

  private async mayGo(messages: Messages, tracked: readonly Tracked[]): Promise<boolean> {
    const recorded = await Promise.all(tracked.map(({ call }) => call.recorded));
    if (this.onFailure === 'pass' || recorded.every((state) => state === 'issued')) return true;
    const reason = recorded.includes('nothing') ? NO_ENTRY : 'no receipt could be issued';
    for (const call of tracked) this.calls.drop(call, reason);
    return this.refused(messages, reason);
  }

  /** Answers the requests of a line that does not go on. @returns false */
  private refused({ messages, isBatch }: Messages, reason: string): false {
    const error = { code: NO_RECEIPT, message: `countersign: the call was not made: ${reason}` };
    const errors = messages.flatMap((message): JsonObject[] => {
      const { id } = message.value;
      return isRequest(message) && isExactId(id) ? [{ jsonrpc: '2.0', id, error }] : [];
    });
    const response: JsonValue | undefined = isBatch ? errors : errors[0];
    if (errors.length > 0 && response !== undefined) this.says.refuse(JSON.stringify(response));
    else this.says.notice(`a line of the client without an id was not passed on: ${reason}`);
    return false;
  }
}

const isRequest = ({ isCall, value }: Message): boolean => isCall || value.method !== undefined;

function isCall(tracked: Tracked | null): tracked is Tracked {
  return tracked !== null;
}
