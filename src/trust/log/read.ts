import { readCursor, writeCursor } from '../../platform/http/cursor.ts';
import type { Trust } from '../context.ts';
import { trustError } from '../dialect.ts';
import { type CheckpointAnswer, checkpointsOf } from './checkpoints.ts';
import { consistencyOf } from './proofs.ts';
import type { LogName } from './store.ts';

const DEFAULT_LIMIT = 50;

/** A page of a log's checkpoints, newest first. @throws ApiError validation_error for a cursor that is none */
export async function checkpointPage(
  { store, logs }: Trust,
  query: { log?: LogName; limit?: string; cursor?: string },
): Promise<{ checkpoints: CheckpointAnswer[]; next_cursor: string | null }> {
  const log = logs[query.log ?? 'receipts'];
  const rows = query.limit === undefined ? DEFAULT_LIMIT : Number(query.limit);
  const place = query.cursor === undefined ? undefined : readCursor(query.cursor, log.origin);
  if (place === null) {
    throw trustError('validation_error', { issues: { cursor: ['is not a cursor of this log'] } });
  }
  const [beforeSize, beforeSeq] = place?.map(Number) ?? [];
  const before = beforeSize === undefined || beforeSeq === undefined ? undefined : { beforeSize, beforeSeq };
  const page = await store.read((snapshot) => checkpointsOf(snapshot, log, rows + 1, before));
  const last = page.length > rows ? page[rows - 1] : undefined;
  return {
    checkpoints: page.slice(0, rows).map(({ answer }) => answer),
    next_cursor:
      last === undefined
        ? null
        : writeCursor([String(last.answer.tree_size), String(last.checkpointSeq)], log.origin),
  };
}

/**
 * The proof that one published tree begins another.
 * @throws ApiError validation_error, not_found for a size that no checkpoint has
 */
export async function consistency(
  { store, logs, damages }: Trust,
  query: { log?: LogName; from: string; to: string },
) {
  const log = logs[query.log ?? 'receipts'];
  const [from, to] = [Number(query.from), Number(query.to)];
  if (from > to) throw trustError('validation_error', { issues: { from: ['must not be above to'] } });
  const proof = await damages.watched(store.read((snapshot) => consistencyOf(snapshot, log, from, to)));
  if (proof !== null) return proof;
  throw trustError('not_found', { message: 'No checkpoint of one of these sizes was published.' });
}
