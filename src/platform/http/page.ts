import type { PageCursors } from './cursor.ts';

/** The paging parameters of a list's query, of which its schema has seen that `limit` is a number. */
export interface Paging {
  limit?: string | undefined;
  cursor?: string | undefined;
}

/** Which rows a page has: how many, and the position behind which they begin, undefined at the beginning. */
export interface PageRequest<Position> {
  rows: number;
  after: Position | undefined;
}

/**
 * Returns which rows are asked for.
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
  if (cursor === undefined) return { rows, after: undefined };
  const after = cursors.read(cursor);
  if (after === null) throw refusal();
  return { rows, after };
}

/** A page, of rows of which one more was asked for than it has, and the cursor that leads to the next. */
export function pageOf<Row>(
  found: readonly Row[],
  rows: number,
  cursorBehind: (last: Row) => string,
): { page: Row[]; next_cursor: string | null } {
  const last = found.length > rows ? found[rows - 1] : undefined;
  return { page: found.slice(0, rows), next_cursor: last === undefined ? null : cursorBehind(last) };
}
