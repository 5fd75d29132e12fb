import { JsonOutline } from './json-outline.ts';
import { type Messages, messagesIn, messagesOf, outlined, parsed } from './message.ts';

export const NEWLINE = 0x0a;

/**
 * Bytes of a stream, in order. `read` is there if they have the end of a message: it returns the messages.
 */
export interface Piece {
  bytes: Uint8Array;
  read: (() => Messages) | null;
  /** The length of the message in bytes, if `read` is there. */
  length: number;
}

/** The sizes, in bytes, up to which a line is collected before it goes on, and up to which it is copied. */
export interface Bounds {
  whole: number;
  copied: number;
}
const BOUNDS: Bounds = { whole: 4 * 2 ** 20, copied: 64 * 2 ** 20 };

/**
 * Divides a stream into lines, whatever its chunks are. A line is one piece, with its messages. A line above
 * `whole` bytes comes in several pieces as it arrives; the piece that begins with the last byte of its
 * message has the messages. Above `copied` bytes no copy is kept, and the message is an outline with a digest
 * of its bytes.
 */
export class Lines {
  private partial: Uint8Array[] = [];
  private length = 0;
  private long: LongLine | null = null;

  constructor(private readonly bounds: Bounds = BOUNDS) {}

  /** Returns the pieces that a chunk completes. */
  *of(chunk: Uint8Array): Generator<Piece> {
    let rest = chunk;
    if (this.long !== null) rest = yield* this.throughLong(this.long, rest);
    const first = rest.indexOf(NEWLINE);
    if (first !== -1 && this.length > 0) rest = Buffer.concat([...this.takePartial(), rest]);
    let start = 0;
    for (let end = rest.indexOf(NEWLINE); end !== -1; end = rest.indexOf(NEWLINE, start)) {
      yield whole(rest.subarray(start, end + 1));
      start = end + 1;
    }
    if (start === rest.length) return;
    this.partial.push(rest.subarray(start));
    this.length += rest.length - start;
    if (this.length <= this.bounds.whole) return;
    this.long = new LongLine(this.bounds.copied);
    yield* this.throughLong(this.long, Buffer.concat(this.takePartial()));
  }

  /** Returns what is left at the end of the stream: a line without a newline. */
  *rest(): Generator<Piece> {
    if (this.length > 0) yield whole(Buffer.concat(this.takePartial()));
  }

  private takePartial(): Uint8Array[] {
    const { partial } = this;
    this.partial = [];
    this.length = 0;
    return partial;
  }

  /** Returns what follows the long line. */
  private *throughLong(long: LongLine, bytes: Uint8Array): Generator<Piece, Uint8Array> {
    const newline = bytes.indexOf(NEWLINE);
    const part = newline === -1 ? bytes : bytes.subarray(0, newline + 1);
    if (newline !== -1) this.long = null;
    yield* long.pieces(part);
    return bytes.subarray(part.length);
  }
}

function whole(line: Uint8Array): Piece {
  return {
    bytes: line,
    read: () => messagesOf(line.at(-1) === NEWLINE ? line.subarray(0, -1) : line),
    length: line.length,
  };
}

/** A line whose beginning goes on before its end is there. */
class LongLine {
  private readonly outline = new JsonOutline();
  private readonly hash = new Bun.CryptoHasher('sha256');
  private copy: Uint8Array[] | null = [];
  private length = 0;
  private isRead = false;

  constructor(private readonly maxCopy: number) {}

  *pieces(part: Uint8Array): Generator<Piece> {
    const end = this.isRead ? -1 : this.outline.feed(part);
    if (this.isRead || this.outline.root === 'broken') {
      this.copy = null;
      yield passing(part);
      return;
    }
    this.add(end === -1 ? part : part.subarray(0, end));
    if (end === -1) {
      yield passing(part);
      return;
    }
    this.isRead = true;
    // A server that reads JSON without lines acts on the last byte of the message, not on the newline.
    if (end > 1) yield passing(part.subarray(0, end - 1));
    const { length, copy } = this;
    this.copy = null;
    yield { bytes: part.subarray(end - 1), read: () => this.messages(copy), length };
  }

  private add(part: Uint8Array): void {
    this.hash.update(part);
    this.length += part.length;
    if (this.length > this.maxCopy) this.copy = null;
    else this.copy?.push(part);
  }

  private messages(copy: readonly Uint8Array[] | null): Messages {
    const value = copy === null ? undefined : parsed(Buffer.concat(copy));
    const digest = this.hash.digest('hex');
    if (value !== undefined) return messagesIn(value, () => digest);
    return { messages: [outlined(this.outline, () => digest)], isBatch: false };
  }
}

function passing(bytes: Uint8Array): Piece {
  return { bytes, read: null, length: bytes.length };
}
