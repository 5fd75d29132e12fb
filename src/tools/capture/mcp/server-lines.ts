import { isJsonObject, type JsonObject, type JsonValue } from '../../../proof/encoding/json.ts';
import { JsonOutline } from './json-outline.ts';
import { NEWLINE } from './lines.ts';
import { decoded, hasModestStructure, type Message, parsed } from './message.ts';

/** What a line of the server says. */
export interface ServerLine {
  messages: readonly Message[];
  isBatch: boolean;
  /** The id of a message that is too large to be read. */
  unread?: JsonValue;
}

/** The largest line that is kept, in bytes, and the size from which its outline is read as it comes. */
const KEPT = 64 * 2 ** 20;
const LARGE = 4 * 2 ** 20;
/** Names that some clients know in any case. */
const NAMES = new Set(['jsonrpc', 'id', 'method', 'params', 'result', 'error', 'isError']);
const ANY_CASE = new RegExp(`^(?:${[...NAMES].join('|')})$`, 'iu');

/**
 * Divides what the server writes into lines. A message counts only if every client accepts it and reads the
 * same in it: a line of JSON with one value, of version 2.0, with exact names.
 */
export class ServerLines {
  private partial: Uint8Array[] = [];
  private length = 0;
  private outline: JsonOutline | null = null;

  /** Returns the lines that a chunk completes. */
  *of(chunk: Uint8Array): Generator<ServerLine> {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      this.add(chunk.subarray(start, end));
      start = end + 1;
      yield this.line();
    }
    this.add(chunk.subarray(start));
  }

  /** Returns what is left at the end of the stream: a line without a newline. */
  *rest(): Generator<ServerLine> {
    if (this.length > 0) yield this.line();
  }

  /** Returns the length of the line that has no end yet. */
  get unfinished(): number {
    return this.length;
  }

  private add(part: Uint8Array): void {
    if (part.length === 0) return;
    this.length += part.length;
    const isLarge = this.outline !== null;
    if (this.length <= KEPT) this.partial.push(part);
    if (isLarge) this.outline?.feed(part);
    else if (this.length > LARGE) {
      this.outline = new JsonOutline();
      for (const earlier of this.partial) this.outline.feed(earlier);
    }
    if (this.length > KEPT) this.partial = [];
  }

  private line(): ServerLine {
    const { partial, length, outline } = this;
    this.partial = [];
    this.length = 0;
    this.outline = null;
    const bytes = length > KEPT ? null : Buffer.concat(partial);
    if (bytes !== null && hasModestStructure(bytes)) return messagesIn(bytes);
    const read = outline ?? new JsonOutline();
    if (outline === null && bytes !== null) read.feed(bytes);
    const { id, method } = read.members;
    const none = { messages: [], isBatch: false };
    return id === undefined || method !== undefined ? none : { ...none, unread: id };
  }
}

function messagesIn(bytes: Uint8Array): ServerLine {
  const value = parsed(decoded(bytes));
  const bytesDigest = () => new Bun.CryptoHasher('sha256').update(bytes).digest('hex');
  const isBatch = Array.isArray(value);
  const messages = (isBatch ? value : [value])
    .filter(isJsonObject)
    .filter(isAccepted)
    .map((accepted) => ({ value: accepted, isCall: false, unclear: null, bytesDigest }));
  return { messages, isBatch };
}

/** Returns whether every client accepts a message. */
function isAccepted(message: JsonObject): boolean {
  if (message.jsonrpc !== '2.0' || !hasExactNames(message)) return false;
  if (Object.hasOwn(message, 'method'))
    return !['result', 'error'].some((name) => Object.hasOwn(message, name));
  return isResponse(message);
}

/**
 * Returns whether an object has either a result or an error, as clients accept it: a response, or a task that
 * ended.
 */
export function isResponse(response: JsonObject): boolean {
  const { result, error } = response;
  if ((result === undefined) === (error === undefined)) return false;
  if (error !== undefined) return isJsonObject(error);
  return (
    isJsonObject(result) && hasExactNames(result) && ['boolean', 'undefined'].includes(typeof result.isError)
  );
}

function hasExactNames(value: JsonObject): boolean {
  return Object.keys(value).every((name) => NAMES.has(name) || !ANY_CASE.test(name));
}
