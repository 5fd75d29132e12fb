/** Any value that JSON (RFC 8259) can represent. */
export type JsonValue = null | boolean | number | string | JsonValue[] | JsonObject;
export interface JsonObject {
  [member: string]: JsonValue;
}

/**
 * The default limit of nesting: no legitimate document needs more, and a hostile one could exhaust the stack.
 */
const MAX_DEPTH = 64;

export type JsonErrorReason = 'invalid' | 'duplicate_member' | 'too_deep' | 'too_many' | 'inexact_integer';

/** Reports text that is not JSON, or JSON that breaks one of `parseJson`'s rules. */
export class JsonError extends Error {
  override readonly name = 'JsonError';
  constructor(
    readonly reason: JsonErrorReason,
    message: string,
  ) {
    super(message);
  }
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
export function parseJson(
  text: string,
  { maxDepth = MAX_DEPTH, maxItems = Number.POSITIVE_INFINITY, integers = 'exact' }: JsonLimits = {},
): JsonValue {
  return parseBy(text, { maxDepth, maxItems, integers });
}

/** The limits of a document. */
export interface JsonLimits {
  /** The maximum depth of nested arrays and objects; 64 by default. */
  maxDepth?: number;
  /**
   * The maximum number of members and elements in the whole document; unlimited by default. An empty object
   * or array counts as one. A member whose name begins with a digit or an escape counts as three, because the
   * engine needs about three times as long for names such as "7". The scan stops at the first item over the
   * limit, before anything is parsed.
   */
  maxItems?: number;
  /**
   * `nearest` accepts integer literals that a double cannot represent exactly, and rounds them; `exact`, the
   * default, refuses them.
   */
  integers?: 'exact' | 'nearest';
}

/**
 * Parses canonical JSON that this program wrote. Unlike `parseJson` it accepts inexact integers: RFC 8785
 * writes 2^60 as 1152921504606847000, the shortest literal whose nearest double is 2^60. @throws JsonError
 */
export function parseCanonicalJson(text: string): JsonValue {
  return parseBy(text, { maxDepth: MAX_DEPTH, maxItems: Number.POSITIVE_INFINITY, integers: 'nearest' });
}

type Rules = Required<JsonLimits>;

function parseBy(text: string, rules: Rules): JsonValue {
  const members = scan(text, rules);
  const value = parse(text);
  if (countMembers(value) !== members) {
    throw new JsonError('duplicate_member', 'an object has the same member name twice');
  }
  return value;
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Decodes UTF-8 without a byte order mark (RFC 8259 section 8.1) and parses it with `parseJson`. @throws
 * JsonError
 */
export function parseJsonBytes(bytes: Uint8Array): JsonValue {
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    throw new JsonError('invalid', 'not UTF-8');
  }
  return parseJson(text);
}

function parse(text: string): JsonValue {
  try {
    return JSON.parse(text);
  } catch (error) {
    const cause = error instanceof Error ? error.message.replace(/^JSON Parse error: /, '') : 'unreadable';
    throw new JsonError('invalid', `not JSON: ${cause}`);
  }
}

/** Integers of up to this many digits are below 2^53. */
const SAFE_DIGITS = 15;
/** The number of digits of the largest finite double. */
const MOST_DIGITS = 309;
const DIGIT_ZERO = 0x30;
const DIGIT_NINE = 0x39;
const QUOTE = 0x22;
const COLON = 0x3a;
const COMMA = 0x2c;
const PLUS = 0x2b;
const MINUS = 0x2d;
const DOT = 0x2e;
const UPPER_E = 0x45;
const LOWER_E = 0x65;
const BACKSLASH = 0x5c;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/**
 * Counts the members of all objects in `text` and checks every number. It runs before JSON.parse, so that it
 * refuses deep nesting without recursion and stops early in a text with too many items.
 */
function scan(text: string, { maxDepth, maxItems, integers }: Rules): number {
  let members = 0;
  let items = 0;
  let depth = 0;
  /** The first character of the last string; if a colon follows, that string is a member's name. */
  let first = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (isDigit(code)) {
      const end = endOfNumber(text, index);
      if (integers === 'exact' && end - index > SAFE_DIGITS) mustBeExact(text.slice(index, end));
      index = end - 1;
      continue;
    }
    switch (code) {
      case QUOTE:
        first = text.charCodeAt(index + 1);
        index = endOfString(text, index);
        break;
      case COLON:
        members++;
        if (isDigit(first) || first === BACKSLASH) items += 2;
        if (items > maxItems) throw tooMany(maxItems);
        break;
      // Every item is either the first of its array or object, or follows a comma.
      case COMMA:
        if (++items > maxItems) throw tooMany(maxItems);
        break;
      case OPEN_ARRAY:
      case OPEN_OBJECT:
        if (++depth > maxDepth) throw new JsonError('too_deep', `nested more than ${maxDepth} levels deep`);
        if (++items > maxItems) throw tooMany(maxItems);
        break;
      case CLOSE_ARRAY:
      case CLOSE_OBJECT:
        depth--;
        break;
    }
  }
  return members;
}

/**
 * Returns the index after a number that begins at `start` (after its sign). The text may not be a valid
 * number.
 */
function endOfNumber(text: string, start: number): number {
  let end = start + 1;
  while (isNumberCharacter(text.charCodeAt(end))) end++;
  return end;
}

function isNumberCharacter(code: number): boolean {
  if (isDigit(code)) return true;
  return code === DOT || code === LOWER_E || code === UPPER_E || code === PLUS || code === MINUS;
}

function isDigit(code: number): boolean {
  return code >= DIGIT_ZERO && code <= DIGIT_NINE;
}

function tooMany(maxItems: number): JsonError {
  return new JsonError('too_many', `more than ${maxItems} members and elements`);
}

/**
 * Checks an integer literal. @throws JsonError unless it has a fraction or an exponent, or a double
 * represents it exactly
 */
function mustBeExact(literal: string): void {
  if (!/^\d+$/.test(literal)) return;
  const nearest = Number(literal);
  // Both length checks come before BigInt, whose cost grows with the number of digits.
  if (Number.isFinite(nearest) && literal.length <= MOST_DIGITS && BigInt(nearest) === BigInt(literal))
    return;
  const shown = literal.length <= 40 ? literal : `${literal.slice(0, 40)}…`;
  throw new JsonError(
    'inexact_integer',
    `a double cannot represent the integer ${shown} exactly; send it as a string`,
  );
}

/**
 * Returns the index of the quote that closes the string opened at `open`; the text's length when there is
 * none.
 */
function endOfString(text: string, open: number): number {
  let close = text.indexOf('"', open + 1);
  while (close !== -1 && isEscaped(text, close)) close = text.indexOf('"', close + 1);
  return close === -1 ? text.length : close;
}

function isEscaped(text: string, quote: number): boolean {
  let backslashes = 0;
  while (text.charCodeAt(quote - 1 - backslashes) === BACKSLASH) backslashes++;
  return backslashes % 2 === 1;
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
 * Returns whether JSON text has an escape such as \ud800 for half of a surrogate pair. Text decoded from
 * UTF-8 cannot contain a lone surrogate in another way.
 */
export function escapesLoneSurrogate(text: string): boolean {
  let index = text.indexOf('\\');
  while (index !== -1) {
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
