import { isJsonObject, JsonError, parseJson } from '../../encoding/json.ts';

/** A longer line cannot be a receipt: a receipt of the maximum length is much shorter. */
export const LINE_BYTES_MAX = 2 ** 20;

/** The size of a chunk for a worker: about two hundred receipts, twenty milliseconds of work. */
const CHUNK_BYTES = 128 * 1024;
const NEWLINE = 0x0a;
const RETURN = 0x0d;
/** The bytes of a line that are stored: enough to see that it is too long, even without a carriage return. */
const KEPT_BYTES = LINE_BYTES_MAX + 2;

/**
 * Splits a stream into chunks of whole lines, each with its own buffer. Lines that are too long are truncated
 * to `KEPT_BYTES`, so that memory is bounded. The last line needs no line end.
 */
export async function* wholeLines(
  source: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const body = new Gathered();
  const unfinished = new Gathered();
  for await (const large of source) {
    for (let from = 0; from < large.length; from += CHUNK_BYTES) {
      const piece = large.subarray(from, from + CHUNK_BYTES);
      const first = piece.indexOf(NEWLINE);
      const room = KEPT_BYTES - unfinished.size;
      if (first === -1) {
        unfinished.add(piece.subarray(0, room));
        continue;
      }
      unfinished.add(piece.subarray(0, Math.min(first, room)));
      body.add(unfinished.take());
      const last = piece.lastIndexOf(NEWLINE);
      body.add(piece.subarray(first, last + 1));
      unfinished.add(piece.subarray(last + 1));
      if (body.size >= CHUNK_BYTES) yield body.take();
    }
  }
  body.add(unfinished.take());
  if (body.size > 0) yield body.take();
}

/**
 * Yields the lines of a chunk as bytes without their line ends (LF or CR LF). The bytes after the last line
 * end are a line unless they are empty.
 */
export function* linesOf(chunk: Uint8Array): Generator<Uint8Array> {
  let start = 0;
  while (start < chunk.length) {
    const newline = chunk.indexOf(NEWLINE, start);
    const end = newline === -1 ? chunk.length : newline;
    yield chunk.subarray(start, end > start && chunk[end - 1] === RETURN ? end - 1 : end);
    start = end + 1;
  }
}

/** Returns the first complete nonblank line and its end; null when there is none yet. */
export function firstLine(bytes: Uint8Array): { line: Uint8Array; end: number } | null {
  const start = bytes.findIndex((byte) => byte > 0x20);
  const end = start === -1 ? -1 : bytes.indexOf(NEWLINE, start);
  return end === -1 ? null : { line: bytes.subarray(start, end), end };
}

/** Returns whether a line is a JSON object. */
export function isObjectLine(line: Uint8Array): boolean {
  const text = new TextDecoder().decode(line);
  if (!text.startsWith('{')) return false;
  try {
    return isJsonObject(parseJson(text));
  } catch (error) {
    // An object with a duplicate member name is not a receipt, but the line contains an object.
    return error instanceof JsonError && error.reason === 'duplicate_member';
  }
}

/** Returns whether bytes are a list: the first nonblank line is a JSON object, and another line follows. */
export function isList(bytes: Uint8Array): boolean {
  const first = firstLine(bytes.subarray(0, LINE_BYTES_MAX));
  return first !== null && isObjectLine(first.line) && !isBlank(bytes.subarray(first.end));
}

/** Returns whether all bytes are JSON white space. */
export function isBlank(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 0x20 || byte === 0x09 || byte === NEWLINE || byte === RETURN);
}

/** A list of pieces that `take` joins into one buffer. */
class Gathered {
  size = 0;
  private pieces: Uint8Array[] = [];

  add(piece: Uint8Array): void {
    if (piece.length === 0) return;
    this.pieces.push(piece);
    this.size += piece.length;
  }

  take(): Uint8Array<ArrayBuffer> {
    const whole = new Uint8Array(this.size);
    let at = 0;
    for (const piece of this.pieces) {
      whole.set(piece, at);
      at += piece.length;
    }
    this.pieces = [];
    this.size = 0;
    return whole;
  }
}
