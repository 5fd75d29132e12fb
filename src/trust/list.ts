import type { PageCursors } from '../platform/http/cursor.ts';
import { trustError } from './dialect.ts';

const DEFAULT_ROWS = 50;

/** The paging parameters of a list's query. */
interface Paging {
  limit?: string | undefined;
  cursor?: string | undefined;
}

/**
 * Returns how many rows a page has, and the position behind which it begins: undefined at the beginning.
 * @throws ApiError validation_error for a cursor of another list, other filters or another installation
 */
export function pageRequest<Position>(
  { limit, cursor }: Paging,
  cursors: PageCursors<Position>,
): { rows: number; after: Position | undefined } {
  // The schema of `limit` has seen that it is a number.
  const rows = limit === undefined ? DEFAULT_ROWS : Number(limit);
  if (cursor === undefined) return { rows, after: undefined };
  const after = cursors.read(cursor);
  if (after !== null) return { rows, after };
  throw trustError('validation_error', {
    issues: { cursor: ['is not a cursor of this list and its filters'] },
  });
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
