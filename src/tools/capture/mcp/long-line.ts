import { JsonOutline } from './json-outline.ts';
import {
  hasModestStructure,
  type Messages,
  mayCall,
  outlined,
  unreadable,
  valueMessages,
} from './message.ts';
import { type Piece, passing } from './piece.ts';

const NONE: Messages = { messages: [], isBatch: false };
/** The bytes at the end of a part that can be the beginning of a mark. */
const CARRIED = 3;

/**
 * A line whose beginning goes on before its end is there. The last byte of each JSON value in it is a piece
 * with the value's messages: a server that reads JSON without lines acts on this byte, not on the newline.
 * If there is anything else in the line, its end is a piece with a call that cannot be read.
 */
export class LongLine {
  private value: Value;
  private readonly hash = new Bun.CryptoHasher('sha256');
  private mayHide = false;
  private carried: Uint8Array = new Uint8Array();

  constructor(private readonly maxCopy: number) {
    this.value = new Value(maxCopy);
  }

  *pieces(part: Uint8Array, isLast: boolean): Generator<Piece> {
    this.mark(part);
    let rest = part;
    for (let end = this.value.feed(rest); end !== -1; end = this.value.feed(rest)) {
      const { value, mayHide } = this;
      if (end > 1) yield passing(rest.subarray(0, end - 1));
      const read = () => value.messages(mayHide);
      yield { bytes: rest.subarray(end - 1, end), read, length: value.length };
      this.value = new Value(this.maxCopy);
      rest = rest.subarray(end);
    }
    const isUnclear = isLast && this.mayHide && this.value.isUnfinished;
    if (!isUnclear) {
      if (rest.length > 0) yield passing(rest);
      return;
    }
    const digest = () => this.hash.digest('hex');
    const messages = [unreadable(new Uint8Array(), digest)];
    yield { bytes: rest, read: () => ({ messages, isBatch: false }), length: rest.length + 1 };
  }

  private mark(part: Uint8Array): void {
    this.hash.update(part);
    if (this.mayHide) return;
    this.mayHide = mayCall(part) || mayCall(Buffer.concat([this.carried, part.subarray(0, CARRIED)]));
    const last = part.length < CARRIED ? Buffer.concat([this.carried, part]) : part;
    this.carried = last.slice(-CARRIED);
  }
}

/** A value of a long line, with what precedes it. */
class Value {
  private readonly outline = new JsonOutline();
  private readonly hash = new Bun.CryptoHasher('sha256');
  private copy: Uint8Array[] | null = [];
  length = 0;

  constructor(private readonly maxCopy: number) {}

  /** Whether something is there that is no complete value. */
  get isUnfinished(): boolean {
    return this.outline.root !== 'none' || this.outline.isOdd;
  }

  /** Reads bytes. @returns the index behind the end of the value; -1 if it goes on */
  feed(bytes: Uint8Array): number {
    const end = this.outline.feed(bytes);
    const part = end === -1 ? bytes : bytes.subarray(0, end);
    this.hash.update(part);
    this.length += part.length;
    if (this.length > this.maxCopy) this.copy = null;
    else this.copy?.push(part);
    return end;
  }

  /** @param mayHide whether the line so far has what a call can hide in */
  messages(mayHide: boolean): Messages {
    const bytes = this.copy === null ? null : Buffer.concat(this.copy);
    this.copy = null;
    const digest = this.hash.digest('hex');
    const read = () => digest;
    if (bytes === null || !hasModestStructure(bytes))
      return { messages: [outlined(this.outline, mayHide, read)], isBatch: false };
    const messages = valueMessages(bytes, read);
    if (messages !== null) return messages;
    return mayHide ? { messages: [unreadable(bytes, read)], isBatch: false } : NONE;
  }
}
