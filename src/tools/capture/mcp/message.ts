import { isJsonObject, type JsonObject, type JsonValue } from '../../../proof/encoding/json.ts';
import { JsonOutline } from './json-outline.ts';

/** A message of JSON-RPC. */
export interface Message {
  value: JsonObject;
  /** Whether `value` has all members. Of a message that cannot be parsed it has those of `JsonOutline`. */
  isWhole: boolean;
  /** Returns the SHA-256 of the bytes of the line's JSON, as 64 hexadecimal characters. */
  bytesDigest(): string;
}

/** The messages of a line: one, or those of a batch (revision 2025-03-26). */
export interface Messages {
  messages: readonly Message[];
  isBatch: boolean;
}

const NONE: Messages = { messages: [], isBatch: false };

/**
 * Reads the messages of a line as its receiver does: the last of two equal members counts, numbers are
 * doubles, and invalid UTF-8 becomes U+FFFD. Of what JSON.parse refuses, such as thousands of levels, an
 * outline is read. So is each of several values in a line, which some servers accept. A line without JSON has
 * no messages.
 */
export function messagesOf(line: Uint8Array): Messages {
  const value = parsed(line);
  if (value !== undefined) return messagesIn(value, () => digestOfBytes(line));
  const messages: Message[] = [];
  for (const [bytes, outline] of valuesOf(line)) {
    const whole = parsed(bytes);
    if (whole !== undefined) messages.push(...messagesIn(whole, () => digestOfBytes(bytes)).messages);
    else messages.push(outlined(outline, () => digestOfBytes(bytes)));
  }
  return messages.length === 0 ? NONE : { messages, isBatch: false };
}

/** Returns the messages of a parsed value. */
export function messagesIn(value: JsonValue, bytesDigest: () => string): Messages {
  const isBatch = Array.isArray(value);
  const values = isBatch ? value.filter(isJsonObject) : isJsonObject(value) ? [value] : [];
  return { messages: values.map((member) => ({ value: member, isWhole: true, bytesDigest })), isBatch };
}

/**
 * Returns the message whose outline was read. A batch of which nothing else is known is taken for a call, so
 * that no call is without a receipt.
 */
export function outlined({ root, members }: JsonOutline, bytesDigest: () => string): Message {
  return { value: root === 'array' ? { method: 'tools/call' } : members, isWhole: false, bytesDigest };
}

/** Parses JSON as most receivers do. @returns undefined if it cannot */
export function parsed(bytes: Uint8Array): JsonValue | undefined {
  try {
    // The decoder removes a byte order mark.
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
}

function* valuesOf(line: Uint8Array): Generator<[bytes: Uint8Array, outline: JsonOutline]> {
  let rest = line;
  while (rest.length > 0) {
    const outline = new JsonOutline();
    const end = outline.feed(rest);
    if (end === -1) return;
    yield [rest.subarray(0, end), outline];
    rest = rest.subarray(end);
  }
}

function digestOfBytes(bytes: Uint8Array): string {
  return new Bun.CryptoHasher('sha256').update(bytes).digest('hex');
}

/** Returns a name for the id of a request, by which its response is found. 1 and "1" are different ids. */
export function keyOf(id: JsonValue | undefined): string {
  return `${typeof id} ${String(id)}`;
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
