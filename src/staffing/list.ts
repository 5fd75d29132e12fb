import type { PageCursors } from '../platform/http/cursor.ts';
import { staffingError } from './dialect.ts';
import { DEFAULT_LIMIT } from './schema.ts';

/** What a list was asked for: its query, of which `limit` and `cursor` are every list's. */
export interface Paging {
  limit?: string | undefined;
  cursor?: string | undefined;
}

/**
 * Returns how many rows a page has, and the position behind which it begins: undefined at the beginning.
 * @throws ApiError INVALID_CURSOR for a cursor of another list, other filters or another installation
 */
export function pageRequest<Position>(
  { limit, cursor }: Paging,
  cursors: PageCursors<Position>,
): { rows: number; after: Position | undefined } {
  const rows = limit === undefined ? DEFAULT_LIMIT : Number(limit);
  if (cursor === undefined) return { rows, after: undefined };
  const after = cursors.read(cursor);
  if (after === null) throw staffingError('INVALID_CURSOR');
  return { rows, after };
}

/** The envelope of a list, of rows of which one more was asked for than a page has. */
export function listAnswer<Row, View>(
  found: readonly Row[],
  rows: number,
  view: (row: Row) => View,
  cursorBehind: (last: Row) => string,
): { data: View[]; has_more: boolean; next_cursor: string | null } {
  const last = found.length > rows ? found[rows - 1] : undefined;
  return {
    data: found.slice(0, rows).map(view),
    has_more: last !== undefined,
    next_cursor: last === undefined ? null : cursorBehind(last),
  };
}
