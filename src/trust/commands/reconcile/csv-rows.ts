import { Failure } from '../../../platform/failure.ts';

/** The longest row, in characters: a report of Stripe has some hundred columns. */
const MOST_CHARACTERS = 256 * 1024;

export interface CsvRow {
  /** The line at which it begins, from 1. */
  line: number;
  values: string[];
}

/**
 * Yields the rows of CSV (RFC 4180) in UTF-8, with or without a byte order mark; lines end with LF or CRLF.
 * Memory is bounded by a piece and the longest row. Empty lines are left out.
 * @param name of the file, for messages
 * @throws Failure for a stray quote, an unfinished row, other bytes than UTF-8, and a row that is too long
 */
export async function* csvRows(pieces: AsyncIterable<Uint8Array>, name: string): AsyncGenerator<CsvRow> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let rest = '';
  let line = 1;
  const decoded = (piece?: Uint8Array): string => {
    try {
      return piece === undefined ? decoder.decode() : decoder.decode(piece, { stream: true });
    } catch {
      throw new Failure(`${name} is not UTF-8, after line ${line}`, 'download the report again, as CSV');
    }
  };
  for await (const piece of pieces) {
    rest += decoded(piece);
    const rows = new RowReader(rest, line, name);
    for (let row = rows.next(false); row !== null; row = rows.next(false)) yield row;
    ({ line } = rows);
    rest = rest.slice(rows.at);
    if (rest.length > MOST_CHARACTERS) {
      throw new Failure(
        `line ${line} of ${name} begins a row of more than ${MOST_CHARACTERS} characters`,
        'check that it is a report of Stripe as CSV, and that no quote is missing',
      );
    }
  }
  const rows = new RowReader(rest + decoded(), line, name);
  for (let row = rows.next(true); row !== null; row = rows.next(true)) yield row;
}

/** Reads rows of a text, and stops before one that may not be complete. */
class RowReader {
  /** Where the next row begins. */
  at = 0;

  constructor(
    private readonly text: string,
    public line: number,
    private readonly name: string,
  ) {}

  /** Returns the next row; null if there is no complete one. @param isEnd whether the text is the last one */
  next(isEnd: boolean): CsvRow | null {
    const { text } = this;
    while (this.at < text.length) {
      const end = text.indexOf('\n', this.at);
      if (end < 0 && !isEnd) return null;
      const stop = end < 0 ? text.length : end;
      const simple = text.slice(this.at, text[stop - 1] === '\r' ? stop - 1 : stop);
      if (simple.includes('"')) return this.quoted(isEnd);
      const { line } = this;
      this.line += 1;
      this.at = stop + 1;
      if (simple !== '') return { line, values: simple.split(',') };
    }
    return null;
  }

  /** Reads a row with quotes, which may have line breaks in them. */
  private quoted(isEnd: boolean): CsvRow | null {
    const { text, line } = this;
    const values: string[] = [];
    let [at, lines] = [this.at, 0];
    for (;;) {
      let value = '';
      if (text[at] === '"') {
        const closing = closingQuote(text, at + 1);
        if (closing === null) {
          if (!isEnd) return null;
          throw this.malformed('a quote is not closed');
        }
        value = text.slice(at + 1, closing).replaceAll('""', '"');
        for (let mark = value.indexOf('\n'); mark >= 0; mark = value.indexOf('\n', mark + 1)) lines += 1;
        at = closing + 1;
      } else {
        const from = at;
        while (at < text.length && text[at] !== ',' && text[at] !== '\n') at += 1;
        value = text.slice(from, text[at] === '\n' && text[at - 1] === '\r' ? at - 1 : at);
        if (value.includes('"')) throw this.malformed('a quote is in the middle of a value');
      }
      values.push(value);
      // A carriage return at the end may be the first half of a line break.
      const isCut = at >= text.length || (text[at] === '\r' && at + 1 === text.length);
      if (isCut && !isEnd) return null;
      if (text[at] === '\r' && text[at + 1] === '\n') at += 1;
      if (at >= text.length || text[at] === '\n') break;
      if (text[at] !== ',') throw this.malformed('a closing quote is not followed by a comma');
      at += 1;
    }
    this.at = at + 1;
    this.line += lines + 1;
    return { line, values };
  }

  private malformed(problem: string): Failure {
    return new Failure(
      `line ${this.line} of ${this.name} is no CSV: ${problem}`,
      'download the report again',
    );
  }
}

/** Returns where the quote is that closes a value; null if the text ends before. */
function closingQuote(text: string, from: number): number | null {
  for (let at = text.indexOf('"', from); at >= 0; at = text.indexOf('"', at + 2)) {
    if (text[at + 1] !== '"') return at;
  }
  return null;
}
