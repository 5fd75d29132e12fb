import { readCursor, writeCursor } from './cursor.ts';
import { staffingError } from './dialect.ts';
import { DEFAULT_LIMIT } from './schema.ts';

/** What a list was asked for: its query, of which `limit` and `cursor` are every list's. */
export interface Paging {
  limit?: string | undefined;
  cursor?: string | undefined;
}

/** How many rows a page has, and the place behind which it begins. @throws ApiError INVALID_CURSOR */
export function pageOf({ limit, cursor }: Paging, scope: string, key: Uint8Array) {
  const rows = limit === undefined ? DEFAULT_LIMIT : Number(limit);
  const after = cursor === undefined ? undefined : readCursor(key, cursor, scope);
  if (after === null) throw staffingError('INVALID_CURSOR');
  return { rows, after };
}

/** The envelope of a list, of rows of which one more was asked for than a page has. */
export function listAnswer<Row, View>(
  found: readonly Row[],
  rows: number,
  view: (row: Row) => View,
  place: (row: Row) => readonly string[],
  scope: string,
  key: Uint8Array,
): { data: View[]; has_more: boolean; next_cursor: string | null } {
  const last = found.length > rows ? found[rows - 1] : undefined;
  return {
    data: found.slice(0, rows).map(view),
    has_more: last !== undefined,
    next_cursor: last === undefined ? null : writeCursor(key, place(last), scope),
  };
}
