import type { PageCursors } from '../platform/http/cursor.ts';
import { type PageRequest, type Paging, pageOf, readPaging } from '../platform/http/page.ts';
import { staffingError } from './dialect.ts';
import { DEFAULT_LIMIT } from './schema.ts';

/**
 * Returns which rows of a list are asked for.
 * @throws ApiError INVALID_CURSOR for a cursor of another list, other filters or another installation
 */
export function pageRequest<Position>(paging: Paging, cursors: PageCursors<Position>): PageRequest<Position> {
  return readPaging(paging, cursors, DEFAULT_LIMIT, () => staffingError('INVALID_CURSOR'));
}

/** The envelope of a list, of rows of which one more was asked for than a page has. */
export async function listAnswer<Row, View>(
  found: readonly Row[],
  rows: number,
  view: (row: Row) => View | Promise<View>,
  cursorBehind: (last: Row) => string,
): Promise<{ data: View[]; has_more: boolean; next_cursor: string | null }> {
  const { page, next_cursor } = pageOf(found, rows, cursorBehind);
  const data: View[] = [];
  for (const row of page) data.push(await view(row));
  return { data, has_more: next_cursor !== null, next_cursor };
}
