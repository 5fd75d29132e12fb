import { readCursor } from '../platform/http/cursor.ts';
import { trustError } from './dialect.ts';

const DEFAULT_ROWS = 50;

/** How many rows a page has; the schema of `limit` has seen that it is a number. */
export function rowsOf(limit: string | undefined): number {
  return limit === undefined ? DEFAULT_ROWS : Number(limit);
}

/** The place behind which a page begins; undefined at the beginning. @throws ApiError validation_error for a cursor of another list */
export function placeOf(
  cursor: string | undefined,
  scope: string,
  complaint = 'is not a cursor of this list',
): string[] | undefined {
  if (cursor === undefined) return undefined;
  return readCursor(cursor, scope) ?? refuseCursor(complaint);
}

/** @throws ApiError validation_error */
export function refuseCursor(complaint: string): never {
  throw trustError('validation_error', { issues: { cursor: [complaint] } });
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
