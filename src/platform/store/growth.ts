import type { Connection } from './connection.ts';

/** The minimum number of bytes for a row, even when it fits into an existing page. */
const ROW_BYTES = 64;

/** Measures how many bytes transactions store, in less than a microsecond. */
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

  /** Returns a number of bytes that increases with every stored row or page. Freed pages decrease it. */
  read(): number {
    const pages = (this.pages.get()?.page_count ?? 0) - (this.freePages.get()?.freelist_count ?? 0);
    return pages * this.pageBytes + (this.changes.get()?.changes ?? 0) * ROW_BYTES;
  }

  /** Releases the connection. */
  close(): void {
    for (const statement of [this.pages, this.freePages, this.changes]) statement.finalize();
  }
}
