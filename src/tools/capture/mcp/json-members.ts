/** What the text of a message says of a call of a tool, whichever way its server reads it. */
export interface Reading {
  isCall: boolean;
  /** Whether servers can read different calls: a name that matters occurs twice, or in another case. */
  isAmbiguous: boolean;
}

/**
 * The names that matter. Some servers take the first of two equal names, and some ignore the case of names
 * (Go: with the simple case folding of Unicode, so that `paramſ` is one too).
 */
const METHOD = /^method$/iu;
const PARAMETERS = /^params$/iu;
const TOP: [string, RegExp][] = [
  ['method', METHOD],
  ['params', PARAMETERS],
];
const PARAMS: [string, RegExp][] = [
  ['name', /^name$/iu],
  ['arguments', /^arguments$/iu],
];
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/**
 * Reads the objects of a JSON text: the root, or the members of the array that it is.
 * @param text JSON that JSON.parse accepts
 */
export function readingsOf(text: string, isBatch: boolean): Reading[] {
  return new Members(text, isBatch ? 2 : 1).read();
}

class Members {
  private readonly readings: Reading[] = [];
  /** The names so far of the current object, and of its parameters, among those that matter. */
  private top = new Set<string>();
  private params = new Set<string>();
  private depth = 0;
  private readonly isObject: boolean[] = [];
  private isName = false;
  private name = '';

  /** @param base the depth of the members of a message */
  constructor(
    private readonly text: string,
    private readonly base: number,
  ) {}

  read(): Reading[] {
    const { text } = this;
    for (let index = 0; index < text.length; index++) {
      const code = text.charCodeAt(index);
      if (code === QUOTE) {
        const end = this.endOfText(index);
        this.string(index, end);
        index = end - 1;
      } else this.punctuation(code);
    }
    return this.readings;
  }

  private punctuation(code: number): void {
    switch (code) {
      case 0x7b: // {
      case 0x5b: // [
        this.depth++;
        this.isName = code === 0x7b;
        if (this.depth <= this.base + 1) this.isObject[this.depth] = this.isName;
        if (this.depth === this.base && this.isName) this.begin();
        break;
      case 0x7d: // }
      case 0x5d: // ]
        this.depth--;
        this.isName = false;
        break;
      case 0x2c: // ,
        this.isName = this.depth <= this.base + 1 && this.isObject[this.depth] === true;
        break;
    }
  }

  private begin(): void {
    this.readings.push({ isCall: false, isAmbiguous: false });
    this.top = new Set();
    this.params = new Set();
  }

  private string(start: number, end: number): void {
    const isTop = this.depth === this.base;
    if (this.isName) {
      this.isName = false;
      if (isTop) {
        this.name = this.valueOf(start, end);
        this.named(TOP, this.top);
      } else if (this.depth === this.base + 1 && PARAMETERS.test(this.name))
        this.named(PARAMS, this.params, this.valueOf(start, end));
    } else if (isTop && METHOD.test(this.name) && this.valueOf(start, end) === 'tools/call') {
      const reading = this.readings.at(-1);
      if (reading !== undefined) reading.isCall = true;
    }
  }

  /** Notes a name, if it matters. */
  private named(names: [string, RegExp][], seen: Set<string>, name = this.name): void {
    const found = names.find(([, pattern]) => pattern.test(name));
    const reading = this.readings.at(-1);
    if (found === undefined || reading === undefined) return;
    if (found[0] !== name || seen.has(name)) reading.isAmbiguous = true;
    seen.add(found[0]);
  }

  /** Returns the index behind the closing quote. */
  private endOfText(start: number): number {
    for (let end = this.text.indexOf('"', start + 1); end !== -1; end = this.text.indexOf('"', end + 1)) {
      let before = end - 1;
      while (this.text.charCodeAt(before) === BACKSLASH) before--;
      if ((end - before) % 2 === 1) return end + 1;
    }
    return this.text.length;
  }

  private valueOf(start: number, end: number): string {
    // No name and no value that matters is longer, even if every character of it is escaped.
    return end - start > 100 ? '' : String(JSON.parse(this.text.slice(start, end)));
  }
}
