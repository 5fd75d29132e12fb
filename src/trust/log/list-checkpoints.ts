import { Type } from '@sinclair/typebox';
import { type Cursors, positionNumber } from '../../platform/http/pagination/cursor.ts';
import type { Store } from '../../platform/store/store.ts';
import type { LogName } from '../../proof/log/log-names.ts';
import { pageRequest } from '../http/paging.ts';
import { checkpointsOf } from './checkpoints/checkpoints.ts';
import type { TrustLog } from './lifecycle/open.ts';

/** The list of a log's checkpoints, with the cursor position: tree size and sequence number. */
const CHECKPOINTS = { name: 'checkpoints', position: Type.Tuple([positionNumber, positionNumber]) };

/**
 * Returns a page of a log's checkpoints, newest first, as JSON text. The list is public and unlimited, and
 * each note has kilobytes, so cached text is joined instead of serialized again.
 * @throws ApiError validation_error for an invalid cursor
 */
export async function listCheckpoints(
  { store, log: { open }, cursors }: { store: Store; log: TrustLog; cursors: Cursors },
  query: { log?: LogName; limit?: string; cursor?: string },
): Promise<string> {
  const log = open[query.log ?? 'receipts'];
  const { limit, after, takePage } = pageRequest(query, cursors.of(CHECKPOINTS, [log.origin]));
  const before = after === undefined ? undefined : { beforeSize: after[0], beforeSeq: after[1] };
  const rows = await store.read((snapshot) => checkpointsOf(snapshot, log, limit + 1, before));
  const { page, next_cursor } = takePage(rows, ({ response, checkpointSeq }) => [
    response.tree_size,
    checkpointSeq,
  ]);
  const checkpoints = page.map(({ json }) => json).join(',');
  return `{"checkpoints":[${checkpoints}],"next_cursor":${JSON.stringify(next_cursor)}}`;
}
