import type { Connection } from './connection.ts';

/** What a row counts for at least: its part of a page that had room for it. */
const ROW_BYTES = 64;

/** Measures what transactions store, in less than a microsecond. */
export class Growth {
  private readonly pageBytes: number;
  private readonly pages;
  private readonly freePages;
  private readonly changes;

  constructor({ sqlite }: Connection) {
    this.pages = sqlite.prepare<{ page_count: number }, []>('PRAGMA page_count');
    this.freePages = sqlite.prepare<{ freelist_count: number }, []>('PRAGMA freelist_count');
    this.changes = sqlite.prepare<{ changes: number }, []>('SELECT total_changes() AS changes');
    this.pageBytes =
      sqlite.query<{ page_size: number }, []>('PRAGMA page_size').get()?.page_size ?? Number.NaN;
  }

  /** A number of bytes that a write raises by what it stores. Pages that it frees lower it. */
  read(): number {
    const pages = (this.pages.get()?.page_count ?? 0) - (this.freePages.get()?.freelist_count ?? 0);
    return pages * this.pageBytes + (this.changes.get()?.changes ?? 0) * ROW_BYTES;
  }

  /** Lets go of the connection. */
  close(): void {
    for (const statement of [this.pages, this.freePages, this.changes]) statement.finalize();
  }
}
