import { nativePrimitives } from '../../../platform/crypto/crypto.ts';
import type { Snapshot, Transaction } from '../../../platform/store/transaction.ts';
import { HASH_BYTES, type NodeReader, nodeHash, treeRoot } from '../../../proof/log/merkle.ts';
import { TILE_HEIGHT, TILE_WIDTH } from '../../../proof/log/tiles.ts';
import { LogDamage } from '../damage.ts';
import {
  type HashRange,
  hashesOf,
  insertTile,
  type LogRow,
  leafCounts,
  leafHashesAt,
  type TilePosition,
  tilesOf,
} from '../store.ts';

/** Returns the number of leaves of a log. */
export async function sizeOf(snapshot: Snapshot, { name }: Pick<LogRow, 'name'>): Promise<number> {
  const [size = 0] = await leafCounts(snapshot, [name]);
  return size;
}

/** Reads the hashes of several ranges at once. @throws LogDamage if some are missing */
export async function hashesOfRanges(
  snapshot: Snapshot,
  { name }: Pick<LogRow, 'name'>,
  ranges: readonly HashRange[],
): Promise<Uint8Array[][]> {
  const hashes = await hashesOf(snapshot, name, ranges);
  for (const [at, { tileLevel, from, to }] of ranges.entries()) {
    if (hashes[at]?.length === to - from) continue;
    throw new LogDamage(name, `log ${name} has no hashes ${from} to ${to} of tile level ${tileLevel}`);
  }
  return hashes;
}

/** Reads the hashes of leaves by their indexes. @throws LogDamage if some are missing */
export async function hashesOfLeaves(
  snapshot: Snapshot,
  { name }: Pick<LogRow, 'name'>,
  indexes: readonly number[],
): Promise<Uint8Array[]> {
  const hashes = await leafHashesAt(snapshot, name, indexes);
  if (hashes.length === indexes.length) return hashes;
  throw new LogDamage(
    name,
    `log ${name} lacks ${indexes.length - hashes.length} of ${indexes.length} leaves`,
  );
}

/**
 * Caches computed nodes of a log, by level and index. A perfect subtree never changes, and all proofs against
 * one checkpoint need the same few nodes at the right edge.
 */
const computedNodes = new WeakMap<LogRow, Map<string, Uint8Array>>();
const COMPUTED_MAX = 2048;

/** A node of a tree: the perfect subtree of 2^level leaves that starts at leaf index · 2^level. */
interface Node {
  level: number;
  index: number;
}

/**
 * Computes a value from the nodes of a log's committed tree. All nodes are read at once, with two calls of
 * the store at most. The first reads the nodes within full tiles, the second those above the last leaves,
 * whose tile is not full. The latter are computed from at most 128 adjacent hashes, and cached with `log`.
 *
 * @param compute is called twice: with zeros, to record which nodes it reads, and with the nodes. Each time
 * it must read the same nodes in the same order; functions of only sizes and indexes do
 * @throws LogDamage if nodes are missing
 */
export async function computeFromNodes<T>(
  snapshot: Snapshot,
  log: LogRow,
  compute: (node: NodeReader) => T,
): Promise<T> {
  const requested: Node[] = [];
  compute((level, index) => {
    requested.push({ level, index });
    return ZEROS;
  });
  const nodes = await nodesOf(snapshot, log, requested);
  let next = 0;
  return compute((level, index) => {
    const { level: expected, index: expectedIndex } = requested[next] ?? {};
    const node = nodes[next++];
    if (node === undefined || level !== expected || index !== expectedIndex) {
      throw new Error(`node ${index} of level ${level} was not requested`);
    }
    return node;
  });
}

/** Returns the root of the tree of a log's first `size` leaves. @throws LogDamage if nodes are missing */
export function rootOf(snapshot: Snapshot, log: LogRow, size: number): Promise<Uint8Array> {
  return computeFromNodes(snapshot, log, (node) => treeRoot(nativePrimitives, size, node));
}

const ZEROS = new Uint8Array(HASH_BYTES);

/** Reads the requested nodes, in their order. @throws LogDamage if some are missing */
async function nodesOf(snapshot: Snapshot, log: LogRow, requested: readonly Node[]): Promise<Uint8Array[]> {
  const nodes = await nodesInTiles(snapshot, log, requested);
  const edge = computedNodes.get(log) ?? new Map<string, Uint8Array>();
  computedNodes.set(log, edge);
  const missing = new Map<string, HashRange & { positions: number[] }>();
  for (const [position, { level, index }] of requested.entries()) {
    if (nodes[position] !== null) continue;
    const key = `${level} ${index}`;
    const known = edge.get(key);
    const range = missing.get(key);
    if (known !== undefined) nodes[position] = known;
    else if (range === undefined) missing.set(key, { ...rangeOf(level, index), positions: [position] });
    else range.positions.push(position);
  }
  if (missing.size > 0) {
    const ranges = [...missing.values()];
    const hashes = await hashesOfRanges(snapshot, log, ranges);
    for (const [at, [key, { from, to, positions }]] of [...missing].entries()) {
      const root = tileRoot(hashes[at] ?? []);
      for (const position of positions) nodes[position] = root;
      // Reading one hash costs as much as reading the cache.
      if (to - from === 1) continue;
      if (edge.size >= COMPUTED_MAX) edge.clear();
      edge.set(key, root);
    }
  }
  return nodes.map((node) => {
    if (node === null) throw new Error(`a node of ${log.origin} was not read`);
    return node;
  });
}

/** Returns the range of hashes that a node is computed from. */
function rangeOf(level: number, index: number): HashRange {
  const width = 2 ** (level % TILE_HEIGHT);
  return { tileLevel: Math.floor(level / TILE_HEIGHT), from: index * width, to: (index + 1) * width };
}

/** Reads the requested nodes that lie within full tiles; null for the others. */
async function nodesInTiles(
  snapshot: Snapshot,
  { name }: LogRow,
  requested: readonly Node[],
): Promise<(Uint8Array | null)[]> {
  const nodes = new Array<Uint8Array | null>(requested.length).fill(null);
  // The nodes of a proof lie in one tile per level.
  const tiles: (TilePosition & { inside: { node: number; offset: number }[] })[] = [];
  for (const [position, { level, index }] of requested.entries()) {
    const height = level % TILE_HEIGHT;
    if (height === 0) continue;
    const tileLevel = Math.floor(level / TILE_HEIGHT);
    const nodesInRow = TILE_WIDTH / 2 ** height;
    const tileIndex = Math.floor(index / nodesInRow);
    let tile = tiles.find((known) => known.level === tileLevel && known.tileIndex === tileIndex);
    if (tile === undefined) {
      tile = { level: tileLevel, tileIndex, inside: [] };
      tiles.push(tile);
    }
    tile.inside.push({ node: position, offset: (rowOf(height) + (index % nodesInRow)) * HASH_BYTES });
  }
  if (tiles.length === 0) return nodes;
  const tileNodes = await tilesOf(snapshot, name, tiles);
  for (const [at, { inside }] of tiles.entries()) {
    const bytes = tileNodes[at] ?? null;
    if (bytes === null) continue;
    for (const { node, offset } of inside) nodes[node] = bytes.subarray(offset, offset + HASH_BYTES);
  }
  return nodes;
}

/** Returns whether the leaf `index`, the last of its log, is the last of its tile. */
export function completesTile(index: number): boolean {
  return (index + 1) % TILE_WIDTH === 0;
}

/** Stores the tiles that the leaf `index`, the last of its log, completes. */
export async function completeTilesIn(tx: Transaction, log: LogRow, index: number): Promise<void> {
  const { name } = log;
  let ended = index + 1;
  for (let level = 0; ended % TILE_WIDTH === 0; level++) {
    const range = { tileLevel: level, from: ended - TILE_WIDTH, to: ended };
    const [hashes = []] = await hashesOfRanges(tx, log, [range]);
    const rows = rowsAbove(hashes);
    const [root = new Uint8Array()] = rows.pop() ?? [];
    ended /= TILE_WIDTH;
    await insertTile(tx, { name, level, tileIndex: ended - 1, root, nodes: Buffer.concat(rows.flat()) });
  }
}

/** Returns the offset of the nodes of a height in a tile, in nodes. The nodes of lower heights come first. */
function rowOf(height: number): number {
  return TILE_WIDTH - TILE_WIDTH / 2 ** (height - 1);
}

/** Returns the root of a perfect tree over hashes, whose number is a power of two. */
export function tileRoot(hashes: Uint8Array[]): Uint8Array {
  const [root = new Uint8Array()] = rowsAbove(hashes).at(-1) ?? hashes;
  return root;
}

/** Returns the rows of a perfect tree above its lowest row, whose length is a power of two. */
function rowsAbove(lowest: readonly Uint8Array[]): Uint8Array[][] {
  const rows: Uint8Array[][] = [];
  let below = lowest;
  while (below.length > 1) {
    const row: Uint8Array[] = [];
    for (let at = 0; at + 1 < below.length; at += 2) {
      const [left = EMPTY, right = EMPTY] = [below[at], below[at + 1]];
      row.push(nodeHash(nativePrimitives, left, right));
    }
    rows.push(row);
    below = row;
  }
  return rows;
}

const EMPTY = new Uint8Array();
