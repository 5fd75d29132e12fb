import type { PageCursors } from '../../platform/http/pagination/cursor.ts';
import { type PageRequest, type Paging, readPaging } from '../../platform/http/pagination/page.ts';
import { commonErrors } from './errors.ts';
import { DEFAULT_LIMIT } from './schema.ts';

/**
 * Returns the requested page of a list.
 * @throws ApiError INVALID_CURSOR for a cursor of another list, other filters or another installation
 */
export function pageRequest<Position>(paging: Paging, cursors: PageCursors<Position>): PageRequest<Position> {
  return readPaging(paging, cursors, DEFAULT_LIMIT, () => commonErrors.INVALID_CURSOR());
}

/** Returns the envelope of a page. `found`: its rows, and one more if another page follows. */
export async function listResponse<Row, View, Position>(
  { takePage }: PageRequest<Position>,
  found: readonly Row[],
  view: (row: Row) => View | Promise<View>,
  positionOf: (last: Row) => Position,
): Promise<{ data: View[]; has_more: boolean; next_cursor: string | null }> {
  const { page, next_cursor } = takePage(found, positionOf);
  const data: View[] = [];
  for (const row of page) data.push(await view(row));
  return { data, has_more: next_cursor !== null, next_cursor };
}
