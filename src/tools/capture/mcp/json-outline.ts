import type { JsonObject, JsonValue } from '../../../proof/encoding/json.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACE = 0x7b;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACE = 0x7d;
const CLOSE_BRACKET = 0x5d;
/** A byte order mark may precede the value. */
const MARK: readonly number[] = [0xef, 0xbb, 0xbf];

/**
 * The members of the top level, and of `result` and `error`, that are read. Others are passed over. Some
 * servers ignore the case of the name of a method.
 */
const TOP = new Set(['id', 'method', 'result', 'error']);
const METHOD = /^method$/iu;
const NESTED = new Set(['code', 'isError', 'resultType']);
/** The characters of numbers and of words such as true and NaN. */
const BARE = new Set(Buffer.from('+-.0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'));
/** The bytes of a name or value that is read. A longer one is none that matters here. */
const MAX_TOKEN = 1024;

/**
 * Finds the end of a JSON object or array in bytes that come in pieces, and reads the few members of a
 * JSON-RPC message that say what it is. It keeps none of the text, so that a message of any size and depth
 * can pass. It accepts more than JSON, such as NaN, and says so where something is no JSON: a lenient server
 * may take it for a message.
 */
export class JsonOutline {
  /** The members that were read. `result` and `error` have only those of `NESTED`. The last of two counts. */
  readonly members: JsonObject = {};
  /** What the value is. */
  root: 'none' | 'object' | 'array' = 'none';
  /** Whether any member that can be meant as the method names a call of a tool. */
  isCall = false;
  /**
   * Whether something is there that is no JSON: before the object or array, or between its texts. Then a
   * lenient server may read another message.
   */
  isOdd = false;
  private depth = 0;
  private marks = 0;
  private inString = false;
  private isEscaped = false;
  /** Whether the containers of the first two levels are objects, and the name of their current member. */
  private readonly isObject = [false, false, false];
  private readonly name: (string | null)[] = [null, null, null];
  private isName = false;
  /** The bytes of the current name or value; null if it is passed over. */
  private token: number[] | null = null;

  /** Reads the next bytes. @returns the index behind the byte that closes the value; -1 if it goes on */
  feed(bytes: Uint8Array): number {
    for (let index = 0; index < bytes.length; index++) {
      const byte = bytes[index] ?? 0;
      if (this.inString) this.inText(byte);
      else if (this.isClosedBy(byte)) return index + 1;
    }
    return -1;
  }

  private inText(byte: number): void {
    if (this.token !== null) this.keep(byte);
    if (this.isEscaped) this.isEscaped = false;
    else if (byte === BACKSLASH) this.isEscaped = true;
    else if (byte === QUOTE) {
      this.inString = false;
      if (this.isName) this.readName();
      else this.readValue();
    }
  }

  private isClosedBy(byte: number): boolean {
    switch (byte) {
      case 0x20:
      case 0x09:
      case 0x0d:
      case 0x0a:
        this.readValue();
        return false;
      case QUOTE:
        this.beginToken(this.isName ? this.depth <= 2 : this.isRead());
        if (this.token !== null) this.keep(byte);
        this.inString = true;
        if (this.depth === 0) this.isOdd = true;
        return false;
      case OPEN_BRACE:
      case OPEN_BRACKET:
        this.open(byte === OPEN_BRACE);
        return false;
      case CLOSE_BRACE:
      case CLOSE_BRACKET:
        return this.isEnd();
      case COMMA:
        this.readValue();
        this.isName = this.depth <= 2 && this.isObject[this.depth] === true;
        return false;
      case COLON:
        this.isName = false;
        return false;
      default:
        this.other(byte);
        return false;
    }
  }

  /** Closes an object or an array. @returns whether it is the value itself */
  private isEnd(): boolean {
    this.readValue();
    this.isName = false;
    if (this.depth === 0) this.isOdd = true;
    else this.depth--;
    return this.depth === 0 && this.root !== 'none';
  }

  private other(byte: number): void {
    if (this.depth === 0) {
      if (byte === MARK[this.marks]) this.marks++;
      else this.isOdd = true;
      return;
    }
    // A name without quotes, a comment, or a quote of another kind.
    if (this.isName || !BARE.has(byte)) this.isOdd = true;
    if (this.token === null && this.isRead()) this.token = [];
    if (this.token !== null) this.keep(byte);
  }

  private open(isObject: boolean): void {
    if (this.depth === 0) this.root = isObject ? 'object' : 'array';
    const name = this.depth === 1 && this.root === 'object' ? this.name[1] : null;
    // An object instead of a method or an id is none.
    if (typeof name === 'string' && TOP.has(name)) this.members[name] = {};
    this.depth++;
    if (this.depth > 2) return;
    this.isObject[this.depth] = isObject;
    this.name[this.depth] = null;
    this.isName = isObject;
  }

  /** Returns whether the value that begins belongs to a member that is read. */
  private isRead(): boolean {
    if (this.root !== 'object' || this.depth > 2) return false;
    const [, first, second] = this.name;
    if (this.depth === 1) return typeof first === 'string' && (TOP.has(first) || METHOD.test(first));
    return (first === 'result' || first === 'error') && typeof second === 'string' && NESTED.has(second);
  }

  private beginToken(isKept: boolean): void {
    this.token = isKept ? [] : null;
  }

  private keep(byte: number): void {
    if (this.token === null) return;
    if (this.token.length < MAX_TOKEN) this.token.push(byte);
    else this.token = null;
  }

  private readName(): void {
    const name = this.take();
    if (this.depth <= 2) this.name[this.depth] = typeof name === 'string' ? name : null;
  }

  private readValue(): void {
    if (this.token === null) return;
    const value = this.take();
    const [, first, second] = this.name;
    if (typeof first !== 'string') return;
    if (this.depth === 1) {
      if (METHOD.test(first) && value === 'tools/call') this.isCall = true;
      if (TOP.has(first)) this.members[first] = value;
    }
    if (this.depth === 2 && typeof second === 'string') {
      const container = this.members[first];
      if (typeof container === 'object' && container !== null && !Array.isArray(container))
        container[second] = value;
    }
  }

  /** Returns the current token; null if it is none of JSON. */
  private take(): JsonValue {
    const bytes = Uint8Array.from(this.token ?? []);
    this.token = null;
    try {
      return JSON.parse(new TextDecoder().decode(bytes));
    } catch {
      return null;
    }
  }
}
