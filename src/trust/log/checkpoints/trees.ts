import { nativePrimitives } from '../../../platform/crypto/crypto.ts';
import type { Snapshot } from '../../../platform/store/transaction.ts';
import { consistencyPath, treeRoot, verifyConsistency } from '../../../proof/log/merkle.ts';
import type { LogRow } from '../store.ts';
import { computeFromNodes, sizeOf } from '../tree/tree.ts';
import { newestCheckpoint, type PublishedCheckpoint } from './checkpoints.ts';

/** A tree to sign. */
export interface Tree {
  log: LogRow;
  size: number;
  root: Uint8Array;
  previous: PublishedCheckpoint | null;
}

/** The log's tree contradicts what was published. Nothing may be signed any more. */
class LogFault extends Error {
  override readonly name = 'LogFault';
}

/** Reads the trees of logs in a snapshot. @throws LogFault */
export async function treesOf(snapshot: Snapshot, logs: readonly LogRow[]): Promise<Tree[]> {
  const trees: Tree[] = [];
  for (const log of logs) trees.push(await treeOf(snapshot, log));
  return trees;
}

/**
 * Reads a log's tree in a snapshot, and verifies that it contains the newest published tree.
 * @throws LogFault
 */
async function treeOf(snapshot: Snapshot, log: LogRow): Promise<Tree> {
  const previous = await newestCheckpoint(snapshot, log);
  const size = await sizeOf(snapshot, log);
  const from = previous?.response.tree_size ?? 0;
  const { root, path } = await computeFromNodes(snapshot, log, (node) => ({
    root: treeRoot(nativePrimitives, size, node),
    path: from <= size ? consistencyPath(nativePrimitives, from, size, node) : [],
  }));
  if (previous === null) return { log, size, root, previous };
  const follows =
    from <= size &&
    verifyConsistency(nativePrimitives, {
      from,
      to: size,
      fromRoot: previous.rootHash,
      toRoot: root,
      path,
    });
  if (follows) return { log, size, root, previous };
  throw new LogFault(
    `the tree of ${log.origin} (${size} leaves) does not contain the checkpoint of ${from} that was published: countersign fsck says where`,
  );
}
