/** A key and its value in a TOML document. */
export interface KeyValue {
  /** The names of the tables and of the key; null within an array of tables. */
  path: readonly string[] | null;
  /** Where the key begins. */
  start: number;
  /** Where its last part begins, after the last dot. */
  lastPart: number;
  value: Value;
  /** Whether it is within an inline table. */
  isInline: boolean;
}

/** Where a value is. Elements are those of an array. */
export interface Value {
  start: number;
  end: number;
  elements: readonly Value[] | null;
}

/**
 * Finds the keys and values of a TOML document (https://toml.io/en/v1.1.0), also those of inline tables. It
 * relies on a parser that has accepted the document, and checks nothing.
 */
export function keyValuesIn(text: string): KeyValue[] {
  return new Scanner(text).document();
}

class Scanner {
  private at = 0;
  private readonly found: KeyValue[] = [];

  constructor(private readonly text: string) {}

  document(): KeyValue[] {
    let table: readonly string[] | null = [];
    for (this.skip(); this.at < this.text.length; this.skip()) {
      if (this.text.startsWith('[[', this.at)) {
        this.at += 2;
        this.key();
        table = null;
        this.take(/\s*\]\]/y);
      } else if (this.text[this.at] === '[') {
        this.at += 1;
        this.skip();
        table = this.key().path;
        this.take(/\s*\]/y);
      } else this.keyValue(table, false);
    }
    return this.found;
  }

  private keyValue(table: readonly string[] | null, isInline: boolean): void {
    const start = this.at;
    const { path, lastPart } = this.key();
    this.take(/\s*=/y);
    this.skip();
    const full = table === null ? null : [...table, ...path];
    const value = this.value(full);
    this.found.push({ path: full, start, lastPart, value, isInline });
  }

  /** Reads a key: its parts, with dots between them. */
  private key(): { path: string[]; lastPart: number } {
    const path: string[] = [];
    let lastPart = this.at;
    do {
      this.take(/\s*/y);
      lastPart = this.at;
      const quote = this.text[this.at];
      const part = quote === '"' || quote === "'" ? this.string() : this.take(/[^\s.=\]]+/y);
      if (part === '') throw new Error(`no key at ${lastPart}`);
      path.push(unquoted(part));
    } while (this.take(/\s*\./y) !== '');
    return { path, lastPart };
  }

  /** Reads a value. @param path of its key, for the keys of an inline table; null for none */
  private value(path: readonly string[] | null): Value {
    const start = this.at;
    const first = this.text[start];
    if (first === '"' || first === "'") this.string();
    else if (first === '[') return { start, elements: this.array(), end: this.at };
    else if (first === '{') this.inlineTable(path);
    else if (this.take(/[^,\]}#\r\n]*[^,\]}#\s]/y) === '') throw new Error(`no value at ${start}`);
    return { start, end: this.at, elements: null };
  }

  private array(): Value[] {
    const elements: Value[] = [];
    this.at += 1;
    for (this.separators(); this.isWithin(']'); this.separators()) elements.push(this.value(null));
    this.at += 1;
    return elements;
  }

  private inlineTable(path: readonly string[] | null): void {
    this.at += 1;
    for (this.separators(); this.isWithin('}'); this.separators()) this.keyValue(path, true);
    this.at += 1;
  }

  private isWithin(end: string): boolean {
    return this.at < this.text.length && this.text[this.at] !== end;
  }

  /** Reads a string of any of the four kinds, and returns its literal. */
  private string(): string {
    const start = this.at;
    const quote = this.text[start] ?? '';
    const isLong = this.text.startsWith(quote.repeat(3), start);
    const end = isLong ? quote.repeat(3) : quote;
    this.at += end.length;
    while (!this.text.startsWith(end, this.at)) {
      if (this.at >= this.text.length) throw new Error(`the string at ${start} has no end`);
      this.at += quote === '"' && this.text[this.at] === '\\' ? 2 : 1;
    }
    this.at += end.length;
    // The last two of five quotation marks belong to the string.
    for (let more = 0; isLong && more < 2 && this.text[this.at] === quote; more += 1) this.at += 1;
    return this.text.slice(start, this.at);
  }

  /** Skips white space, lines and comments. */
  private skip(): void {
    while (this.take(/[ \t\r\n\uFEFF]+|#[^\n]*/y) !== '');
  }

  private separators(): void {
    do this.skip();
    while (this.take(/,/y) !== '');
  }

  /** Moves on over what matches here, and returns it; empty for no match. */
  private take(pattern: RegExp): string {
    pattern.lastIndex = this.at;
    const [match = ''] = pattern.exec(this.text) ?? [];
    this.at += match.length;
    return match;
  }
}

/** Returns the part of a key without its quotation marks. Escapes are those of JSON, and three more. */
function unquoted(part: string): string {
  if (part.startsWith("'")) return part.slice(1, -1);
  if (!part.startsWith('"')) return part;
  const escaped = part
    .replace(/\\U([0-9A-Fa-f]{8})/g, (_, hex: string) => String.fromCodePoint(Number.parseInt(hex, 16)))
    .replace(/\\x([0-9A-Fa-f]{2})/g, '\\u00$1')
    .replace(/\\e/g, '\\u001b');
  return JSON.parse(escaped);
}
