import { ConnectionError } from './errors.ts';

/** A page of a list. */
interface Cursor {
  next_cursor: string | null;
}

/** How many pages without rows may follow each other: a service may filter, but must get to an end. */
const EMPTY_PAGES = 1000;

/**
 * The rows of a list, which are read page by page while they are iterated. Each iteration begins anew.
 *
 *     for await (const receipt of client.receipts.list()) …
 */
export class List<Row, Page extends Cursor> implements AsyncIterable<Row> {
  readonly #read: (cursor: string | undefined) => Promise<Page>;
  readonly #rowsOf: (page: Page) => readonly Row[];

  /** @param read reads the page of a cursor */
  constructor(read: (cursor: string | undefined) => Promise<Page>, rowsOf: (page: Page) => readonly Row[]) {
    this.#read = read;
    this.#rowsOf = rowsOf;
  }

  /** Reads the first page, with everything that the service returns with it. */
  page(): Promise<Page> {
    return this.#read(undefined);
  }

  /** Reads all pages. */
  async *pages(): AsyncGenerator<Page, void, undefined> {
    const seen = new Set<string>();
    let cursor: string | undefined;
    let emptyPages = 0;
    do {
      const page: Page = await this.#read(cursor);
      yield page;
      cursor = page.next_cursor ?? undefined;
      // Otherwise a service could keep its caller busy for ever.
      if (cursor !== undefined && seen.has(cursor))
        throw new ConnectionError('malformed', 'The list never ends: a cursor comes a second time.');
      emptyPages = this.#rowsOf(page).length === 0 ? emptyPages + 1 : 0;
      if (emptyPages > EMPTY_PAGES)
        throw new ConnectionError('malformed', 'The list never ends: its pages are empty.');
      if (cursor !== undefined) seen.add(cursor);
    } while (cursor !== undefined);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Row, void, undefined> {
    for await (const page of this.pages()) yield* this.#rowsOf(page);
  }

  /** Reads rows into an array. @param limit how many at most */
  async toArray(limit: number): Promise<Row[]> {
    const rows: Row[] = [];
    if (limit <= 0) return rows;
    for await (const row of this) {
      rows.push(row);
      if (rows.length >= limit) break;
    }
    return rows;
  }
}
