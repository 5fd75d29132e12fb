import { base64 } from '@scure/base';
import { nativePrimitives } from '../../../platform/crypto/crypto.ts';
import type { Snapshot } from '../../../platform/store/transaction.ts';
import { bytesToHex } from '../../../proof/encoding/hex.ts';
import { consistencyPath, treeRoot, verifyConsistency } from '../../../proof/log/merkle.ts';
import type { PublishedCheckpoint } from '../checkpoints/checkpoints.ts';
import { LogDamage } from '../damage.ts';
import type { LogRow } from '../store.ts';
import { computeFromNodes } from '../tree/tree.ts';

/**
 * Returns the proof that the tree of `from` leaves is a prefix of the tree of `to` leaves. Both sizes are at
 * most that of the newest checkpoint; null for a larger one.
 *
 * @param newest published before the snapshot was opened, so that the snapshot has all its leaves
 * @throws LogDamage instead of proving trees that the newest checkpoint does not contain
 */
export async function consistencyProofOf(
  snapshot: Snapshot,
  log: LogRow,
  from: number,
  to: number,
  newest: PublishedCheckpoint,
) {
  const { name, origin } = log;
  const size = newest.response.tree_size;
  if (to > size) return null;
  const { fromRoot, toRoot, path, restPath } = await computeFromNodes(snapshot, log, (node) => ({
    fromRoot: treeRoot(nativePrimitives, from, node),
    toRoot: treeRoot(nativePrimitives, to, node),
    path: consistencyPath(nativePrimitives, from, to, node),
    restPath: consistencyPath(nativePrimitives, to, size, node),
  }));
  const proof = { from, to, fromRoot, toRoot, path };
  // Only the newest checkpoint is known to be published, so both trees must lead to it.
  const rest = {
    from: to,
    to: size,
    fromRoot: toRoot,
    toRoot: newest.rootHash,
    path: restPath,
  };
  const isPublished =
    verifyConsistency(nativePrimitives, proof) && (to === 0 || verifyConsistency(nativePrimitives, rest));
  if (!isPublished) {
    throw new LogDamage(
      name,
      `the trees of ${origin} of ${from} and ${to} leaves contradict what was published`,
    );
  }
  return {
    log: origin,
    from,
    to,
    from_root: bytesToHex(fromRoot),
    to_root: bytesToHex(toRoot),
    hashes: path.map((hash) => base64.encode(hash)),
  };
}
