import type { PageCursors } from '../../platform/http/pagination/cursor.ts';
import { type PageRequest, type Paging, readPaging } from '../../platform/http/pagination/page.ts';
import { commonErrors } from './errors.ts';

const DEFAULT_ROWS = 50;

/**
 * Returns the page of a list that a request asks for.
 * @throws ApiError validation_error for a cursor of another list, other filters or another installation
 */
export function pageRequest<Position>(paging: Paging, cursors: PageCursors<Position>): PageRequest<Position> {
  return readPaging(paging, cursors, DEFAULT_ROWS, () =>
    commonErrors.validation_error({ issues: { cursor: ['is not a cursor of this list and its filters'] } }),
  );
}
