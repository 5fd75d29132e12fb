import { JsonOutline } from './json-outline.ts';
import { LongLine } from './long-line.ts';
import { isBlank, messagesOf, outlined } from './message.ts';
import { type Piece, passing } from './piece.ts';

export const NEWLINE = 0x0a;
const RETURN = 0x0d;

/** The sizes, in bytes, up to which a line is collected before it goes on, and up to which it is copied. */
export interface Bounds {
  whole: number;
  copied: number;
}
const COPIED = 64 * 2 ** 20;
const BOUNDS: Bounds = { whole: 4 * 2 ** 20, copied: COPIED };
/** The bounds where a line goes on as a whole or not at all. */
export const HOLDING: Bounds = { whole: COPIED, copied: COPIED };

/**
 * Divides what the client writes into lines, whatever its chunks are. A line ends with LF, CR or both, since
 * some servers read each of them so. It is one piece, with its messages. What has no end yet is a piece too
 * if it is complete JSON: a server that reads JSON without lines acts on it. A line above `whole` bytes
 * comes in several pieces (see `LongLine`).
 */
export class Lines {
  private partial: Uint8Array[] = [];
  private length = 0;
  private outline = new JsonOutline();
  private hasValue = false;
  private long: LongLine | null = null;
  /** Whether white space up to a newline belongs to the last piece. */
  private isFollowing = false;
  private isDropping = false;

  constructor(private readonly bounds: Bounds = BOUNDS) {}

  /** Returns the pieces that a chunk completes. */
  *of(chunk: Uint8Array): Generator<Piece> {
    let rest = chunk;
    while (rest.length > 0) {
      const end = this.isFollowing ? this.endOfFollowing(rest) : 0;
      if (end > 0) {
        yield { ...passing(rest.subarray(0, end)), follows: true };
        rest = rest.subarray(end);
        continue;
      }
      const part = rest.subarray(0, endOfLine(rest));
      rest = rest.subarray(part.length);
      yield* this.part(part, isEnd(part.at(-1)));
    }
  }

  /** Returns what is left at the end of the stream: a line without a newline. */
  *rest(): Generator<Piece> {
    if (this.long !== null) yield* this.long.pieces(new Uint8Array(), true);
    else if (this.length > 0) yield whole(this.takePartial());
  }

  /** Reads a part of a line, with its end or not. */
  private *part(part: Uint8Array, isLast: boolean): Generator<Piece> {
    this.isFollowing = isLast && part.at(-1) === RETURN;
    if (this.isDropping) {
      yield { ...passing(part), follows: true };
      this.isDropping = !isLast;
    } else if (this.long !== null) {
      yield* this.long.pieces(part, isLast);
      if (isLast) this.long = null;
    } else {
      this.partial.push(part);
      this.length += part.length;
      if (this.length > this.bounds.whole) yield* this.tooLong(isLast);
      else if (isLast) yield whole(this.takePartial());
      else if (this.isComplete(part)) {
        yield whole(this.takePartial());
        this.isFollowing = true;
      }
    }
  }

  private *tooLong(isLast: boolean): Generator<Piece> {
    const isHeld = this.bounds.whole === this.bounds.copied;
    const { outline } = this;
    const bytes = this.takePartial();
    if (isHeld) {
      this.isDropping = !isLast;
      const digest = () => new Bun.CryptoHasher('sha256').update(bytes).digest('hex');
      const messages = [outlined(outline, true, digest)];
      const read = () => ({ messages, isBatch: false });
      yield { bytes, read, length: bytes.length, isTooLong: true };
      return;
    }
    const long = new LongLine(this.bounds.copied);
    this.long = isLast ? null : long;
    yield* long.pieces(bytes, isLast);
  }

  /** Returns whether all that has no end yet is complete JSON. */
  private isComplete(part: Uint8Array): boolean {
    // What is no JSON waits for the end of its line.
    if (this.outline.isOdd) return false;
    let rest = part;
    for (let end = this.outline.feed(rest); end !== -1; end = this.outline.feed(rest)) {
      this.hasValue = true;
      this.outline = new JsonOutline();
      rest = rest.subarray(end);
    }
    return this.hasValue && this.outline.root === 'none' && !this.outline.isOdd;
  }

  private takePartial(): Uint8Array {
    const { partial } = this;
    this.partial = [];
    this.length = 0;
    this.outline = new JsonOutline();
    this.hasValue = false;
    const [only] = partial;
    return partial.length === 1 && only !== undefined ? only : Buffer.concat(partial);
  }

  /** Returns how many bytes belong to the end of the last line. */
  private endOfFollowing(bytes: Uint8Array): number {
    const newline = bytes.indexOf(NEWLINE);
    const end = newline === -1 ? bytes.length : newline + 1;
    if (!isBlank(bytes.subarray(0, end))) {
      this.isFollowing = false;
      return 0;
    }
    this.isFollowing = newline === -1;
    return end;
  }
}

const isEnd = (byte: number | undefined): boolean => byte === NEWLINE || byte === RETURN;

/** Returns the length of the first line with its end; of all bytes if it has none. */
function endOfLine(bytes: Uint8Array): number {
  const newline = bytes.indexOf(NEWLINE);
  const line = newline === -1 ? bytes : bytes.subarray(0, newline + 1);
  const end = line.indexOf(RETURN);
  if (end === -1 || end === newline - 1) return line.length;
  return end + 1;
}

function whole(line: Uint8Array): Piece {
  return { bytes: line, read: () => messagesOf(withoutEnd(line)), length: line.length };
}

function withoutEnd(line: Uint8Array): Uint8Array {
  let end = line.length;
  while (isEnd(line[end - 1])) end--;
  return line.subarray(0, end);
}
