import { writeCursor } from '../../platform/http/cursor.ts';
import type { Trust } from '../context.ts';
import { trustError } from '../dialect.ts';
import { pageOf, placeOf, rowsOf } from '../list.ts';
import { type CheckpointAnswer, checkpointsOf } from './checkpoints.ts';
import { consistencyOf } from './proofs.ts';
import type { LogName } from './store.ts';

/** A page of a log's checkpoints, newest first. @throws ApiError validation_error for a cursor that is none */
export async function checkpointPage(
  { store, logs }: Trust,
  query: { log?: LogName; limit?: string; cursor?: string },
): Promise<{ checkpoints: CheckpointAnswer[]; next_cursor: string | null }> {
  const log = logs[query.log ?? 'receipts'];
  const rows = rowsOf(query.limit);
  const place = placeOf(query.cursor, log.origin, 'is not a cursor of this log');
  const [beforeSize, beforeSeq] = place?.map(Number) ?? [];
  const before = beforeSize === undefined || beforeSeq === undefined ? undefined : { beforeSize, beforeSeq };
  const found = await store.read((snapshot) => checkpointsOf(snapshot, log, rows + 1, before));
  const { page, next_cursor } = pageOf(found, rows, ({ answer, checkpointSeq }) =>
    writeCursor([answer.tree_size, checkpointSeq].map(String), log.origin),
  );
  return { checkpoints: page.map(({ answer }) => answer), next_cursor };
}

/**
 * The proof that one tree begins another.
 * @throws ApiError validation_error, not_found for a size above that of the newest checkpoint
 */
export async function consistency(
  { store, logs, publisher, damages }: Trust,
  query: { log?: LogName; from: string; to: string },
) {
  const log = logs[query.log ?? 'receipts'];
  const [from, to] = [Number(query.from), Number(query.to)];
  if (from > to) throw trustError('validation_error', { issues: { from: ['must not be above to'] } });
  const newest = publisher.latest(log.name);
  const proof = await damages.watched(
    store.read((snapshot) => consistencyOf(snapshot, log, from, to, newest)),
  );
  if (proof !== null) return proof;
  const { tree_size } = newest.answer;
  throw trustError('not_found', {
    message: `The newest checkpoint covers ${tree_size} leaves; there is no proof beyond it.`,
  });
}
