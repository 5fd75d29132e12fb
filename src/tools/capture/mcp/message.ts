import { isJsonObject, type JsonObject, type JsonValue } from '../../../proof/encoding/json.ts';
import { type Reading, readingsOf } from './json-members.ts';
import { JsonOutline } from './json-outline.ts';

/** A message of JSON-RPC. */
export interface Message {
  value: JsonObject;
  /** Whether it calls a tool, or a server may take it for such a call. */
  isCall: boolean;
  /**
   * Why it is not known what it calls; null if it is. Servers can read it as different calls (`ambiguous`);
   * it is no JSON (`unreadable`); or it was not kept (`too large`). Of the last two, `value` has at most the
   * members of `JsonOutline`.
   */
  unclear: 'ambiguous' | 'unreadable' | 'too large' | null;
  /** Returns the SHA-256 of the bytes of the line's JSON, as 64 hexadecimal characters. */
  bytesDigest(): string;
}

/** The messages of a line: one, or those of a batch (revision 2025-03-26). */
export interface Messages {
  messages: readonly Message[];
  isBatch: boolean;
}

const NONE: Messages = { messages: [], isBatch: false };
/** Brackets, braces and commas of a value that is parsed. More of them take seconds and gigabytes. */
const MAX_STRUCTURE = 2 ** 20;
/** Values of one line, one behind the other, that are read one by one. */
const MAX_VALUES = 1000;
/**
 * What a line contains if any server can find a call in it: the word, also in UTF-16 and UTF-32, or an escape
 * that can spell it. A backslash alone would make receipts of much that is no text at all.
 */
const MARKS = ['call', 'c\0a\0l\0l', 'c\0\0\0a\0\0\0l\0\0\0l', '\\u', '\\x'];

/**
 * Reads the messages of a line of the client: one message, a batch, or several values, which some servers
 * accept. Numbers are doubles, and invalid UTF-8 becomes U+FFFD. What JSON.parse refuses is a call if any
 * server can find one in it, so that no call is without a receipt.
 */
export function messagesOf(line: Uint8Array): Messages {
  const digest = () => digestOfBytes(line);
  if (!hasModestStructure(line)) return outlinesOf(line);
  const whole = valueMessages(line, digest);
  if (whole !== null) return whole;
  const messages: Message[] = [];
  let isOdd = false;
  for (const { bytes, outline } of valuesOf(line)) {
    const value = outline === null ? null : valueMessages(bytes, () => digestOfBytes(bytes));
    if (value === null) isOdd ||= !isBlank(bytes);
    else messages.push(...value.messages);
  }
  if (!isOdd) return { messages, isBatch: false };
  return mayCall(line) ? { messages: [unreadable(line, digest)], isBatch: false } : NONE;
}

/** Reads one JSON value of the client. @returns null if JSON.parse refuses it, and for text and numbers */
export function valueMessages(bytes: Uint8Array, bytesDigest: () => string): Messages | null {
  const text = decoded(bytes);
  const value = parsed(text);
  if (typeof value !== 'object' || value === null) return null;
  const isNamed = text.includes('tools/call') || text.includes('\\');
  return messagesIn(value, bytesDigest, isNamed ? readingsOf(text, Array.isArray(value)) : undefined);
}

/** Returns the messages of a parsed value. @param readings what its text says of calls, in order */
export function messagesIn(
  value: JsonValue,
  bytesDigest: () => string,
  readings?: readonly Reading[],
): Messages {
  const isBatch = Array.isArray(value);
  const values = isBatch ? value.filter(isJsonObject) : isJsonObject(value) ? [value] : [];
  const messages = values.map((member, index): Message => {
    const { isCall, isAmbiguous } = readings?.[index] ?? {
      isCall: member.method === 'tools/call',
      isAmbiguous: false,
    };
    return { value: member, isCall, unclear: isCall && isAmbiguous ? 'ambiguous' : null, bytesDigest };
  });
  return { messages, isBatch };
}

/**
 * Returns the message whose outline was read. A batch of which nothing else is known is taken for a call.
 * @param mayHide whether its bytes have what a call can hide in
 */
export function outlined(outline: JsonOutline, mayHide: boolean, bytesDigest: () => string): Message {
  const { root, members, isCall, isOdd } = outline;
  const isTaken = isCall || root === 'array' || (isOdd && mayHide);
  return { value: members, isCall: isTaken, unclear: 'too large', bytesDigest };
}

/** Returns the call that a server may find in what is no JSON. The id is there if no other can be meant. */
export function unreadable(bytes: Uint8Array, bytesDigest: () => string): Message {
  const outline = new JsonOutline();
  const end = outline.feed(bytes);
  const isSure = end !== -1 && !outline.isOdd && isBlank(bytes.subarray(end));
  const { id } = outline.members;
  const value: JsonObject = isSure && id !== undefined ? { id } : {};
  return { value, isCall: true, unclear: 'unreadable', bytesDigest };
}

/** Returns whether any server can find a call of a tool in bytes. */
export function mayCall(bytes: Uint8Array): boolean {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return MARKS.some((mark) => buffer.includes(mark));
}

/** Returns whether bytes can be parsed in a short time. */
export function hasModestStructure(bytes: Uint8Array): boolean {
  if (bytes.length <= MAX_STRUCTURE) return true;
  let count = 0;
  for (let index = 0; index < bytes.length && count <= MAX_STRUCTURE; index++) {
    const byte = bytes[index];
    if (byte === 0x2c || byte === 0x5b || byte === 0x7b) count++;
  }
  return count <= MAX_STRUCTURE;
}

/** Returns whether bytes are white space of JSON only. */
export function isBlank(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d);
}

/** Decodes UTF-8 as most receivers do. A byte order mark is removed. */
export function decoded(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

/** Parses JSON as most receivers do. @returns undefined if it cannot */
export function parsed(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Reads a line that is not parsed. */
function outlinesOf(line: Uint8Array): Messages {
  const mayHide = mayCall(line);
  const messages: Message[] = [];
  let isOdd = false;
  for (const { bytes, outline } of valuesOf(line)) {
    if (outline !== null) messages.push(outlined(outline, mayHide, () => digestOfBytes(bytes)));
    else isOdd ||= !isBlank(bytes);
  }
  if (isOdd && mayHide) messages.push(unreadable(line, () => digestOfBytes(line)));
  return { messages, isBatch: false };
}

/** Divides a line into its objects and arrays. What follows them has no outline. */
function* valuesOf(line: Uint8Array): Generator<{ bytes: Uint8Array; outline: JsonOutline | null }> {
  let rest = line;
  for (let count = 0; count < MAX_VALUES; count++) {
    const outline = new JsonOutline();
    const end = outline.feed(rest);
    if (end === -1) break;
    yield { bytes: rest.subarray(0, end), outline };
    rest = rest.subarray(end);
  }
  if (rest.length > 0) yield { bytes: rest, outline: null };
}

function digestOfBytes(bytes: Uint8Array): string {
  return new Bun.CryptoHasher('sha256').update(bytes).digest('hex');
}

/**
 * Returns a name for the id of a request, by which its response is found; null for what is no id. 1 and "1"
 * are different ids.
 */
export function keyOf(id: JsonValue | undefined): string | null {
  return typeof id === 'string' || typeof id === 'number' ? `${typeof id} ${id}` : null;
}

/** Returns whether an id is exact: other ids can become the same double as an integer above 2^53. */
export function isExactId(id: JsonValue | undefined): id is string | number {
  return typeof id === 'string' || Number.isSafeInteger(id);
}

/** Returns a member of a value; undefined if the value is no object, or has no such member of its own. */
export function member(value: JsonValue | undefined, name: string): JsonValue | undefined {
  return isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

/** Returns a text that is a member of a value; undefined if there is none. */
export function textMember(value: JsonValue | undefined, name: string): string | undefined {
  const text = member(value, name);
  return typeof text === 'string' ? text : undefined;
}
