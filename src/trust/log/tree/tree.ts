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
  type TilePosition,
  tilesOf,
} from '../store.ts';

/** How many leaves a log has. */
export async function sizeOf(snapshot: Snapshot, { name }: Pick<LogRow, 'name'>): Promise<number> {
  const [size = 0] = await leafCounts(snapshot, [name]);
  return size;
}

/** The hashes of some ranges, read at once. @throws LogDamage when they are not all there */
export async function hashesOfRanges(
  snapshot: Snapshot,
  { name }: Pick<LogRow, 'name'>,
  ranges: readonly HashRange[],
): Promise<Uint8Array[][]> {
  const hashes = await hashesOf(snapshot, name, ranges);
  for (const [at, { tileLevel, from, to }] of ranges.entries()) {
    if (hashes[at]?.length === to - from) continue;
    throw new LogDamage(name, `log ${name} lacks hashes ${from} to ${to} of tile level ${tileLevel}`);
  }
  return hashes;
}

/**
 * What was made of a log's nodes lately, by level and index. A perfect subtree never changes, and every proof against one
 * checkpoint needs the same few at the right edge.
 */
const made = new WeakMap<LogRow, Map<string, Uint8Array>>();
const MADE_MAX = 2048;

/** A node of a tree: the perfect subtree of 2^level leaves that starts at leaf index · 2^level. */
interface Node {
  level: number;
  index: number;
}

/**
 * Computes something from the nodes of a log's tree, of what is committed. All nodes are read at once, in two calls of the store at
 * most: those within full tiles, then those above the last leaves, whose tile is not full. These are made from at most 128 hashes beside
 * each other, and cached with `log`.
 *
 * @param compute is called twice: with zeros, to learn which nodes it reads, and with the nodes. It must read the same ones, in the
 * same order, whatever they are, as everything does that a size or an index alone determines
 * @throws LogDamage when nodes are not there
 */
export async function computeFromNodes<T>(
  snapshot: Snapshot,
  log: LogRow,
  compute: (node: NodeReader) => T,
): Promise<T> {
  const wanted: Node[] = [];
  compute((level, index) => {
    wanted.push({ level, index });
    return ZEROS;
  });
  const nodes = await nodesOf(snapshot, log, wanted);
  let next = 0;
  return compute((level, index) => {
    const { level: expected, index: expectedIndex } = wanted[next] ?? {};
    const node = nodes[next++];
    if (node === undefined || level !== expected || index !== expectedIndex) {
      throw new Error(`node ${index} of level ${level} was not asked for`);
    }
    return node;
  });
}

/** The root of the tree of a log's first `size` leaves. @throws LogDamage when nodes are not there */
export function rootOf(snapshot: Snapshot, log: LogRow, size: number): Promise<Uint8Array> {
  return computeFromNodes(snapshot, log, (node) => treeRoot(nativePrimitives, size, node));
}

const ZEROS = new Uint8Array(HASH_BYTES);

/** The nodes that are wanted, in their order. @throws LogDamage when they are not there */
async function nodesOf(snapshot: Snapshot, log: LogRow, wanted: readonly Node[]): Promise<Uint8Array[]> {
  const nodes = await nodesInTiles(snapshot, log, wanted);
  const edge = made.get(log) ?? new Map<string, Uint8Array>();
  made.set(log, edge);
  const missing = new Map<string, HashRange & { places: number[] }>();
  for (const [position, { level, index }] of wanted.entries()) {
    if (nodes[position] !== undefined) continue;
    const key = `${level} ${index}`;
    const known = edge.get(key);
    const range = missing.get(key);
    if (known !== undefined) nodes[position] = known;
    else if (range === undefined) missing.set(key, { ...rangeOf(level, index), places: [position] });
    else range.places.push(position);
  }
  if (missing.size > 0) {
    const ranges = [...missing.values()];
    const hashes = await hashesOfRanges(snapshot, log, ranges);
    for (const [at, [key, { from, to, places: positions }]] of [...missing].entries()) {
      const root = tileRoot(hashes[at] ?? []);
      for (const place of positions) nodes[place] = root;
      // One hash is found as fast as it is cached.
      if (to - from === 1) continue;
      if (edge.size >= MADE_MAX) edge.clear();
      edge.set(key, root);
    }
  }
  return nodes.map((node) => {
    if (node === undefined) throw new Error(`a node of ${log.origin} was not read`);
    return node;
  });
}

/** The hashes that a node is made from. */
function rangeOf(level: number, index: number): HashRange {
  const width = 2 ** (level % TILE_HEIGHT);
  return { tileLevel: Math.floor(level / TILE_HEIGHT), from: index * width, to: (index + 1) * width };
}

/** Those of the nodes that are wanted which lie within full tiles. */
async function nodesInTiles(
  snapshot: Snapshot,
  { name }: LogRow,
  wanted: readonly Node[],
): Promise<(Uint8Array | undefined)[]> {
  const nodes = new Array<Uint8Array | undefined>(wanted.length).fill(undefined);
  // The nodes of a proof lie in one tile a level.
  const tiles: (TilePosition & { inside: { place: number; offset: number }[] })[] = [];
  for (const [position, { level, index }] of wanted.entries()) {
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
    tile.inside.push({ place: position, offset: (rowOf(height) + (index % nodesInRow)) * HASH_BYTES });
  }
  if (tiles.length === 0) return nodes;
  const found = await tilesOf(snapshot, name, tiles);
  for (const [at, { inside }] of tiles.entries()) {
    const bytes = found[at] ?? null;
    if (bytes === null) continue;
    for (const { place, offset } of inside) nodes[place] = bytes.subarray(offset, offset + HASH_BYTES);
  }
  return nodes;
}

/** Whether the leaf `index`, the last of its log, is the last of its neighbours too. */
export function completesTile(index: number): boolean {
  return (index + 1) % TILE_WIDTH === 0;
}

/** Writes down what lies above the leaf `index`, the last of its log, where it is the last of its neighbours too. */
export async function completeTilesIn(tx: Transaction, log: LogRow, index: number): Promise<void> {
  const { name } = log;
  let ended = index + 1;
  for (let level = 0; ended % TILE_WIDTH === 0; level++) {
    const range = { tileLevel: level, from: ended - TILE_WIDTH, to: ended };
    const [hashes = []] = await hashesOfRanges(tx, log, [range]);
    const rows = rowsAbove(hashes);
    const [root = new Uint8Array()] = rows.pop() ?? [];
    ended /= TILE_WIDTH;
    await insertTile(tx, name, { level, tileIndex: ended - 1 }, { root, nodes: Buffer.concat(rows.flat()) });
  }
}

/** Where the nodes of a height stand in a tile: below them all of the heights before. */
function rowOf(height: number): number {
  return TILE_WIDTH - TILE_WIDTH / 2 ** (height - 1);
}

/** The root of a perfect tree over these hashes, of which there are a power of two. */
export function tileRoot(hashes: Uint8Array[]): Uint8Array {
  const [root = new Uint8Array()] = rowsAbove(hashes).at(-1) ?? hashes;
  return root;
}

/** All rows of a perfect tree above its lowest, of which there are a power of two. */
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
