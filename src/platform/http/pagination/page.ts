import type { PageCursors } from './cursor.ts';

/** The paging parameters of a list's query, of which its schema has seen that `limit` is a number. */
export interface Paging {
  limit?: string | undefined;
  cursor?: string | undefined;
}

/** The page of a list that a request asks for. */
export interface PageRequest<Position> {
  /** How many rows it has at most. */
  rows: number;
  /** The position behind which it begins; undefined at the beginning of the list. */
  after: Position | undefined;
  /** Returns the page and the cursor of the next one, null for the last. `found`: its rows, and one more where there is another page. */
  cut<Row>(
    found: readonly Row[],
    positionOf: (last: Row) => Position,
  ): { page: Row[]; next_cursor: string | null };
}

/**
 * Returns the page that a request asks for.
 * @param refusal makes the error for a cursor of another list, other filters or another installation
 * @throws what `refusal` returns
 */
export function readPaging<Position>(
  { limit, cursor }: Paging,
  cursors: PageCursors<Position>,
  defaultRows: number,
  refusal: () => Error,
): PageRequest<Position> {
  const rows = limit === undefined ? defaultRows : Number(limit);
  const after = cursor === undefined ? undefined : cursors.read(cursor);
  if (after === null) throw refusal();
  return {
    rows,
    after,
    cut(found, positionOf) {
      const last = found.length > rows ? found[rows - 1] : undefined;
      return {
        page: found.slice(0, rows),
        next_cursor: last === undefined ? null : cursors.write(positionOf(last)),
      };
    },
  };
}
