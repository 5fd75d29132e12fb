import { nativePrimitives } from '../../../platform/crypto/crypto.ts';
import type { Snapshot } from '../../../platform/store/transaction.ts';
import { encodeBase64 } from '../../../proof/encoding/base64.ts';
import { LOG_NAMES, type LogName } from '../../../proof/log/log-names.ts';
import type { ReferenceSet } from '../../../proof/package/format.ts';
import { CHUNK_LEAVES, type Chunk, chunkOf, ReferenceTree } from '../../../proof/package/reference-tree.ts';
import { samplePositions } from '../../../proof/package/sample.ts';
import type { CitableLog } from './build-order.ts';
import type { SetDraft } from './builder.ts';
import { LeafHashes } from './leaf-hashes.ts';

/** The leaves whose hashes are read at once. */
const PAGE_LEAVES = 4 * CHUNK_LEAVES;

/** A sampled reference, with its place in a log. */
export interface Sampled {
  position: number;
  path: string[];
  log: LogName;
  leafIndex: number;
}

/** The leaves of a set in one log, with the position of the first in the set. */
interface Part {
  log: CitableLog;
  indexes: readonly number[] | Float64Array;
  start: number;
}

/** What the sets of a package have in common, so that it is read and computed once. */
export class SharedLeaves {
  /**
   * The whole chunks of a list of leaves, in their order, for the sets that begin with this list. Several
   * sets of a package may have the same list.
   */
  readonly chunks = new WeakMap<object, readonly Chunk[]>();
  readonly hashes = new LeafHashes();
}

/** A reference set whose tree is computed. */
export interface ComputedSet extends Omit<ReferenceSet, 'sample'> {
  /** The logs that it has entries of. */
  logs: readonly LogName[];
  sampled: readonly Sampled[];
}

/**
 * Computes the tree and the sample of a set.
 * @param shared of all sets of the package
 * @throws LogDamage for a missing leaf; Error for indexes that do not ascend or exceed the cited tree
 */
export async function computeSet(
  snapshot: Snapshot,
  draft: SetDraft,
  logs: Readonly<Record<LogName, CitableLog>>,
  shared = new SharedLeaves(),
): Promise<ComputedSet> {
  const parts = partsOf(draft, logs);
  const count = parts.reduce((sum, { indexes }) => sum + indexes.length, 0);
  const tree = await treeOf(snapshot, parts, count, shared);
  const merkleRoot = tree.root();
  const sampled: Sampled[] = [];
  const positions = samplePositions(nativePrimitives, merkleRoot, count);
  for (const [chunk, inChunk] of Map.groupBy(positions, chunkOf)) {
    const start = chunk * CHUNK_LEAVES;
    const leaves = await hashesBetween(snapshot, parts, shared, start, start + CHUNK_LEAVES);
    for (const position of inChunk) {
      const path = tree.path(position, leaves).map(encodeBase64);
      sampled.push({ position, path, ...leafAt(parts, position) });
    }
  }
  const { name, description } = draft;
  return {
    name,
    description,
    count,
    merkle_root: merkleRoot,
    logs: parts.map(({ log }) => log.log.name),
    sampled,
  };
}

/**
 * Computes the tree of a set. The whole chunks of its first part are known if another set began
 * with the same leaves.
 */
async function treeOf(
  snapshot: Snapshot,
  parts: readonly Part[],
  count: number,
  shared: SharedLeaves,
): Promise<ReferenceTree> {
  const tree = new ReferenceTree(nativePrimitives);
  const [first] = parts;
  if (first === undefined) return tree;
  const earlier = shared.chunks.get(first.indexes) ?? [];
  for (const chunk of earlier) tree.appendChunk(chunk);
  const wholeChunks = chunkOf(first.indexes.length);
  const known = [...earlier];
  for (let from = tree.count; from < count; from += PAGE_LEAVES) {
    const leaves = await hashesBetween(snapshot, parts, shared, from, from + PAGE_LEAVES);
    for (let at = 0; at < leaves.length; at += CHUNK_LEAVES) {
      const inChunk = leaves.slice(at, at + CHUNK_LEAVES);
      if (inChunk.length < CHUNK_LEAVES) {
        for (const leaf of inChunk) tree.append(leaf);
        continue;
      }
      const chunk = ReferenceTree.chunk(nativePrimitives, inChunk);
      if (known.length < wholeChunks) known.push(chunk);
      tree.appendChunk(chunk);
    }
  }
  shared.chunks.set(first.indexes, known);
  return tree;
}

/** Returns the parts of a set that have leaves, in the order of logs. @throws Error as `computeSet` */
function partsOf({ name, leaves }: SetDraft, logs: Readonly<Record<LogName, CitableLog>>): Part[] {
  let start = 0;
  const parts: Part[] = [];
  for (const log of LOG_NAMES) {
    const indexes = leaves[log] ?? [];
    if (indexes.length === 0) continue;
    let last = -1;
    // An iterator over so many numbers would take longer than their order.
    for (let at = 0; at < indexes.length; at++) {
      const index = indexes[at] ?? last;
      if (index <= last)
        throw new Error(`the leaves of ${log} in the set ${name} are not in ascending order`);
      last = index;
    }
    if (last >= logs[log].treeSize)
      throw new Error(`the set ${name} has the leaf ${last} of ${log}, which no checkpoint covers`);
    parts.push({ log: logs[log], indexes, start });
    start += indexes.length;
  }
  return parts;
}

/** Returns the hashes of the leaves at the positions `from` to `to`, exclusive, that the set has. */
async function hashesBetween(
  snapshot: Snapshot,
  parts: readonly Part[],
  { hashes: read }: SharedLeaves,
  from: number,
  to: number,
): Promise<Uint8Array[]> {
  const hashes: Uint8Array[] = [];
  for (const { log, indexes, start } of parts) {
    const inRange: number[] = [];
    for (let at = Math.max(0, from - start); at < Math.min(indexes.length, to - start); at++)
      inRange.push(indexes[at] ?? 0);
    if (inRange.length === 0) continue;
    for (const hash of await read.of(snapshot, log.log, inRange)) hashes.push(hash);
  }
  return hashes;
}

function leafAt(parts: readonly Part[], position: number): Pick<Sampled, 'log' | 'leafIndex'> {
  const part = parts.findLast(({ start }) => start <= position);
  const index = part?.indexes[position - part.start];
  if (part === undefined || index === undefined) throw new Error(`the set has no position ${position}`);
  return { log: part.log.log.name, leafIndex: index };
}
