import { JsonError, type JsonLimits, JsonScanner } from './json-scanner.ts';
import type { Steps } from './steps.ts';

export { JsonError, type JsonErrorReason, type JsonLimits } from './json-scanner.ts';

/** Any value that JSON (RFC 8259) can represent. */
export type JsonValue = null | boolean | number | string | JsonValue[] | JsonObject;
export interface JsonObject {
  [member: string]: JsonValue;
}

/** Returns whether `value` is a JSON object (not an array, not null). */
export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Parses JSON (RFC 8259) within limits of nesting and size. Duplicate member names are refused (I-JSON, RFC
 * 7493 section 2.3): parsers that keep the first and parsers that keep the last would see two documents. For
 * the same reason an integer literal that a double cannot represent exactly is refused (RFC 7493 section
 * 2.2): 9007199254740993 would become 9007199254740992. A number with a fraction or an exponent becomes the
 * nearest double, as in RFC 8785. `__proto__` is an ordinary member.
 *
 * JSON.parse does the parsing. One pass over the text counts the colons outside of strings; when the parsed
 * value has fewer members, a name occurred twice.
 *
 * @throws JsonError; its `reason` names the broken rule
 */
export function parseJson(text: string, limits: JsonLimits = {}): JsonValue {
  const scanner = new JsonScanner(text, limits);
  scanner.scan(text.length);
  return withoutDuplicates(readJsonText(text), scanner.members);
}

/**
 * Parses canonical JSON that this program wrote. Unlike `parseJson` it accepts inexact integers: RFC 8785
 * writes 2^60 as 1152921504606847000, the shortest literal whose nearest double is 2^60. @throws JsonError
 */
export function parseCanonicalJson(text: string): JsonValue {
  return parseJson(text, { integers: 'nearest' });
}

/**
 * Returns a value that has as many members as its text. @throws JsonError duplicate_member if it has fewer,
 * because then a name occurred twice
 */
export function withoutDuplicates(value: JsonValue, members: number): JsonValue {
  if (countMembers(value) === members) return value;
  throw new JsonError('duplicate_member', 'an object has the same member name twice');
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Decodes UTF-8 without a byte order mark (RFC 8259 section 8.1) and parses it with `parseJson`, or what
 * parses like it. @throws JsonError
 */
export function parseJsonBytes(bytes: Uint8Array, parse: (text: string) => JsonValue = parseJson): JsonValue {
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    throw new JsonError('invalid', 'not UTF-8');
  }
  return parse(text);
}

/** Parses JSON by the runtime's parser, without limits. @throws JsonError invalid */
export function readJsonText(text: string): JsonValue {
  try {
    return JSON.parse(text);
  } catch (error) {
    const cause = error instanceof Error ? error.message.replace(/^JSON Parse error: /, '') : 'unreadable';
    throw new JsonError('invalid', `not JSON: ${cause}`);
  }
}

function countMembers(value: JsonValue | undefined): number {
  if (typeof value !== 'object' || value === null) return 0;
  const nested = Array.isArray(value) ? value : Object.values(value);
  let members = nested === value ? 0 : nested.length;
  for (const item of nested) {
    if (typeof item === 'object' && item !== null) members += countMembers(item);
  }
  return members;
}

/**
 * Returns the value in the bytes of a file, by the rules of `parseJsonBytes`; null where they are not JSON.
 */
export function jsonOrNull(bytes: Uint8Array): JsonValue {
  try {
    return parseJsonBytes(bytes);
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    return null;
  }
}

/** The escapes that are examined in one step. */
const ESCAPES = 4096;

/**
 * Returns whether JSON text has an escape such as \ud800 for half of a surrogate pair. Text decoded from
 * UTF-8 cannot contain a lone surrogate in another way.
 */
export function* escapesLoneSurrogate(text: string): Steps<boolean> {
  let index = text.indexOf('\\');
  for (let escapes = 1; index !== -1; escapes++) {
    if (escapes % ESCAPES === 0) yield;
    let next = index + 2;
    if (text[index + 1] === 'u') {
      next = index + 6;
      const unit = Number.parseInt(text.slice(index + 2, next), 16);
      if (unit >= 0xdc00 && unit <= 0xdfff) return true;
      if (unit >= 0xd800 && unit <= 0xdbff) {
        if (!/^\\u[dD][c-fC-F]/.test(text.slice(next, next + 4))) return true;
        next += 6;
      }
    }
    index = text[next] === '\\' ? next : text.indexOf('\\', next);
  }
  return false;
}
