/** Any value that JSON (RFC 8259) can carry. */
export type JsonValue = null | boolean | number | string | JsonValue[] | JsonObject;
export interface JsonObject {
  [member: string]: JsonValue;
}

/** Nesting beyond this is refused everywhere: no honest document needs it, and hostile ones exhaust the stack. */
const MAX_DEPTH = 64;

export type JsonErrorReason = 'invalid' | 'duplicate_member' | 'too_deep' | 'too_many' | 'inexact_integer';

/** Text that is no JSON, or JSON that this program does not take. */
export class JsonError extends Error {
  override readonly name = 'JsonError';
  constructor(
    readonly reason: JsonErrorReason,
    message: string,
  ) {
    super(message);
  }
}

/** Whether `value` is a JSON object (no array, no null). */
export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Parses JSON strictly: RFC 8259, nesting and size within the limits, and no object with
 * two members of one name (I-JSON, RFC 7493 section 2.3), because readers that keep the first and readers that keep
 * the last would see two documents. For the same reason an integer literal that a double cannot hold exactly is refused
 * (RFC 7493 section 2.2): 9007199254740993 reads as 9007199254740992. A number with a fraction or an exponent is the
 * nearest double, as in RFC 8785. A member `__proto__` is a member like any other.
 *
 * JSON.parse does the reading. One pass over the text counts the colons that stand outside strings; when the parsed
 * value has fewer members than that, a name occurred twice.
 *
 * @throws JsonError; its reason says which of the rules was broken.
 */
export function parseJson(
  text: string,
  { maxDepth = MAX_DEPTH, maxItems = Number.POSITIVE_INFINITY }: JsonLimits = {},
): JsonValue {
  return parseBy(text, { maxDepth, maxItems, integers: 'exact' });
}

/** What a text may hold. */
export interface JsonLimits {
  /** Arrays and objects within one another; default 64. */
  maxDepth?: number;
  /**
   * Members of all objects and elements of all arrays together; default no limit. An empty object or array counts as if it had
   * one. A member whose name begins with a digit or an escape counts three times, since objects with names such as "7" take the
   * engine so much longer. A text with more is refused where the first too many is met: what follows is not looked at, and nothing is parsed.
   */
  maxItems?: number;
}

/**
 * Parses canonical JSON that this program wrote, as `parseJson` but for integers: RFC 8785 writes 2^60 as
 * 1152921504606847000, the shortest literal whose nearest double it is. @throws JsonError
 */
export function parseCanonicalJson(text: string): JsonValue {
  return parseBy(text, { maxDepth: MAX_DEPTH, maxItems: Number.POSITIVE_INFINITY, integers: 'nearest' });
}

interface Rules extends Required<JsonLimits> {
  integers: 'exact' | 'nearest';
}

function parseBy(text: string, rules: Rules): JsonValue {
  const members = scan(text, rules);
  const value = parse(text);
  if (countMembers(value) !== members) {
    throw new JsonError('duplicate_member', 'an object names a member twice');
  }
  return value;
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Parses bytes as `parseJson` does text: UTF-8 without a byte order mark (RFC 8259 section 8.1). @throws JsonError */
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

/** Integers of so many digits are below 2^53. */
const SAFE_DIGITS = 15;
/** Of the largest finite double. */
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
 * Counts the members of all objects in `text`, and looks at every number. Runs before JSON.parse, so that depth is refused
 * without recursion, and a text of many items at the cost of its beginning.
 */
function scan(text: string, { maxDepth, maxItems, integers }: Rules): number {
  let members = 0;
  let items = 0;
  let depth = 0;
  /** The first character of the last string: where a colon follows, of a name. */
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
      // An item is the first of an array or object, or follows a comma.
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

/** The index behind a number without its sign, or behind what stands in the place of one. */
function endOfNumber(text: string, start: number): number {
  let end = start + 1;
  while (isOfNumber(text.charCodeAt(end))) end++;
  return end;
}

function isOfNumber(code: number): boolean {
  if (isDigit(code)) return true;
  return code === DOT || code === LOWER_E || code === UPPER_E || code === PLUS || code === MINUS;
}

function isDigit(code: number): boolean {
  return code >= DIGIT_ZERO && code <= DIGIT_NINE;
}

function tooMany(maxItems: number): JsonError {
  return new JsonError('too_many', `more than ${maxItems} members and elements`);
}

/** @throws JsonError unless a literal has a fraction or an exponent, or a double holds it exactly */
function mustBeExact(literal: string): void {
  if (!/^\d+$/.test(literal)) return;
  const nearest = Number(literal);
  // Past the first test the literal is short enough to be compared digit by digit.
  if (Number.isFinite(nearest) && literal.length <= MOST_DIGITS && BigInt(nearest) === BigInt(literal))
    return;
  const shown = literal.length <= 40 ? literal : `${literal.slice(0, 40)}…`;
  throw new JsonError(
    'inexact_integer',
    `a double cannot hold the integer ${shown} exactly; send it as text`,
  );
}

/** The index of the quote that closes the string opened at `open`, or the text's end. */
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
 * Whether text of JSON writes half of a surrogate pair by an escape such as \ud800. Decoded from UTF-8 it holds none otherwise.
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
