import type { PageCursors } from './cursor.ts';

/** The paging parameters of a list's query. Its schema has checked that `limit` is a number. */
export interface Paging {
  limit?: string | undefined;
  cursor?: string | undefined;
}

/** The requested page of a list. */
export interface PageRequest<Position> {
  /** The maximum number of rows. */
  limit: number;
  /** The position after which the page begins; undefined for the beginning of the list. */
  after: Position | undefined;
  /**
   * Returns the page and the cursor of the next one; null for the last page. `found`: its rows, and one more
   * if another page follows.
   */
  takePage<Row>(
    found: readonly Row[],
    positionOf: (last: Row) => Position,
  ): { page: Row[]; next_cursor: string | null };
}

/**
 * Reads the paging parameters of a request.
 * @param refusal returns the error for a cursor of another list, other filters or another installation
 * @throws the error of `refusal`
 */
export function readPaging<Position>(
  { limit, cursor }: Paging,
  cursors: PageCursors<Position>,
  defaultLimit: number,
  refusal: () => Error,
): PageRequest<Position> {
  const maxRows = limit === undefined ? defaultLimit : Number(limit);
  const after = cursor === undefined ? undefined : cursors.read(cursor);
  if (after === null) throw refusal();
  return {
    limit: maxRows,
    after,
    takePage(found, positionOf) {
      const last = found.length > maxRows ? found[maxRows - 1] : undefined;
      return {
        page: found.slice(0, maxRows),
        next_cursor: last === undefined ? null : cursors.write(positionOf(last)),
      };
    },
  };
}
