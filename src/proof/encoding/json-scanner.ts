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
 * The default limit of nesting: no legitimate document needs more, and a hostile one could exhaust the stack.
 */
const MAX_DEPTH = 64;

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

/** Receives the structure of a text while it is scanned, with the indexes of its characters. */
export interface JsonStructure {
  opened(index: number, isArray: boolean): void;
  separated(index: number): void;
  closed(index: number, isArray: boolean): void;
}

/**
 * Counts the members of all objects in a text and checks every number, before JSON.parse. So it refuses deep
 * nesting without recursion, and stops early in a text with too many items.
 */
export class JsonScanner {
  /** The number of members so far. */
  members = 0;
  private items = 0;
  private depth = 0;
  /** The first character of the last string; if a colon follows, that string is a member's name. */
  private first = 0;
  /** The next character. */
  private index = 0;
  /** Whether the next character is in a string. */
  private isInString = false;
  private readonly maxDepth: number;
  private readonly maxItems: number;
  private readonly isExact: boolean;

  constructor(
    private readonly text: string,
    { maxDepth = MAX_DEPTH, maxItems = Number.POSITIVE_INFINITY, integers = 'exact' }: JsonLimits,
    private readonly structure: JsonStructure | null = null,
  ) {
    this.maxDepth = maxDepth;
    this.maxItems = maxItems;
    this.isExact = integers === 'exact';
  }

  /**
   * Scans up to the character `end`, or a little further. @returns whether it has reached the end of the text
   * @throws JsonError too_deep, too_many, inexact_integer
   */
  scan(end: number): boolean {
    const { text, structure } = this;
    let index = this.isInString ? this.endOfString(this.index, end) : this.index;
    for (; index < end; index++) {
      const code = text.charCodeAt(index);
      if (isDigit(code)) {
        const numberEnd = endOfNumber(text, index);
        if (this.isExact && numberEnd - index > SAFE_DIGITS) mustBeExact(text.slice(index, numberEnd));
        index = numberEnd - 1;
        continue;
      }
      switch (code) {
        case QUOTE:
          this.first = text.charCodeAt(index + 1);
          index = this.endOfString(index + 1, end) - 1;
          break;
        case COLON:
          this.members++;
          if (isDigit(this.first) || this.first === BACKSLASH) this.items += 2;
          if (this.items > this.maxItems) throw tooMany(this.maxItems);
          break;
        // Every item is either the first of its array or object, or follows a comma.
        case COMMA:
          if (++this.items > this.maxItems) throw tooMany(this.maxItems);
          structure?.separated(index);
          break;
        case OPEN_ARRAY:
        case OPEN_OBJECT:
          if (++this.depth > this.maxDepth) throw tooDeep(this.maxDepth);
          if (++this.items > this.maxItems) throw tooMany(this.maxItems);
          structure?.opened(index, code === OPEN_ARRAY);
          break;
        case CLOSE_ARRAY:
        case CLOSE_OBJECT:
          this.depth--;
          structure?.closed(index, code === CLOSE_ARRAY);
          break;
      }
    }
    this.index = index;
    return index >= text.length;
  }

  /**
   * Returns the index after the quote that closes the string with the character `from`; if there is none
   * before `end`, an index from which the search can continue.
   */
  private endOfString(from: number, end: number): number {
    const { text } = this;
    let close = text.indexOf('"', from);
    while (close !== -1 && isEscaped(text, close)) {
      if (close >= end) {
        this.isInString = true;
        return close;
      }
      close = text.indexOf('"', close + 1);
    }
    this.isInString = false;
    return close === -1 ? text.length : close + 1;
  }
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

function tooDeep(maxDepth: number): JsonError {
  return new JsonError('too_deep', `nested more than ${maxDepth} levels deep`);
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

function isEscaped(text: string, quote: number): boolean {
  let backslashes = 0;
  while (text.charCodeAt(quote - 1 - backslashes) === BACKSLASH) backslashes++;
  return backslashes % 2 === 1;
}
