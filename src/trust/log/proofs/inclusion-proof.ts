import { base64 } from '@scure/base';
import { nativePrimitives } from '../../../platform/crypto/crypto.ts';
import type { Snapshot } from '../../../platform/store/transaction.ts';
import { bytesToHex } from '../../../proof/encoding/hex.ts';
import type { PathWithoutCheckpoint } from '../../../proof/log/log-proof.ts';
import { inclusionPath, verifyInclusion } from '../../../proof/log/merkle.ts';
import { formatTlogProof } from '../../../proof/log/tlog-proof.ts';
import type { PublishedCheckpoint } from '../checkpoints/checkpoints.ts';
import type { ProofCheckpoints } from '../checkpoints/publisher.ts';
import { LogDamage } from '../damage.ts';
import type { LogRow } from '../store.ts';
import { leafHashOf } from '../tree/append.ts';
import { computeFromNodes } from '../tree/tree.ts';

/** A proof that the tree of a published checkpoint contains a leaf. */
export type InclusionProof = PathWithoutCheckpoint & {
  checkpoint: string;
  /** True if the checkpoint meets the quorum of the service's witness policy. */
  cosigned: boolean;
};

/** A leaf with its position. */
export interface LoggedLeaf {
  index: number;
  /** The exact JSON text that was logged. */
  entry: string;
}

const utf8 = new TextEncoder();

/** A leaf in the tree of a published checkpoint. */
export interface ProvenLeaf extends LoggedLeaf {
  leaf: Uint8Array;
  /** The hashes from the leaf's sibling up. */
  path: Uint8Array[];
  checkpoint: PublishedCheckpoint;
  /** True if the checkpoint meets the quorum of the service's witness policy. */
  isCosigned: boolean;
}

/**
 * Proves that a log contains a leaf: against the newest cosigned checkpoint if that covers the leaf, else
 * against the newest of all. Returns null while that does not cover the leaf either.
 *
 * @param checkpoints of the log, from `Publisher.proofCheckpoints` before the snapshot was opened
 * @throws LogDamage instead of returning an invalid proof
 */
export async function proveLeaf(
  snapshot: Snapshot,
  log: LogRow,
  { index, entry }: LoggedLeaf,
  { newest, cosigned, isCosigned }: ProofCheckpoints,
): Promise<ProvenLeaf | null> {
  const checkpoint = cosigned !== null && index < cosigned.response.tree_size ? cosigned : newest;
  const size = checkpoint.response.tree_size;
  if (index >= size) return null;
  const leaf = leafHashOf(entry);
  const path = await computeFromNodes(snapshot, log, (node) =>
    inclusionPath(nativePrimitives, index, size, node),
  );
  if (!verifyInclusion(nativePrimitives, { leaf, index, size, path, root: checkpoint.rootHash })) {
    throw new LogDamage(log.name, `leaf ${index} of ${log.origin} is not what was published`);
  }
  return { index, entry, leaf, path, checkpoint, isCosigned: isCosigned(checkpoint) };
}

/** Returns the proof that a log contains a leaf, as `proveLeaf` finds it. @throws as `proveLeaf` */
export async function inclusionProofOf(
  snapshot: Snapshot,
  log: LogRow,
  leaf: LoggedLeaf,
  checkpoints: ProofCheckpoints,
): Promise<InclusionProof | null> {
  const proven = await proveLeaf(snapshot, log, leaf, checkpoints);
  return proven === null ? null : proofOf(proven);
}

/** Returns the proof of a leaf as documents have it. */
export function proofOf(proven: ProvenLeaf): InclusionProof {
  const { response } = proven.checkpoint;
  return {
    log: response.origin,
    leaf_index: proven.index,
    tree_size: response.tree_size,
    leaf_entry: proven.entry,
    leaf_hash: bytesToHex(proven.leaf),
    hashes: proven.path.map((hash) => base64.encode(hash)),
    checkpoint: response.note,
    cosigned: proven.isCosigned,
  };
}

/** Formats a proof as C2SP tlog-proof text, with the leaf's entry as extra data. */
export function proofText({ index, entry, path, checkpoint }: ProvenLeaf): string {
  const { note } = checkpoint.response;
  return formatTlogProof({ extra: utf8.encode(entry), index, path, checkpoint: note });
}
