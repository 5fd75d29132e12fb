import { nativePrimitives } from '../../platform/crypto.ts';
import type { Snapshot, Transaction } from '../../platform/store/transaction.ts';
import { HASH_BYTES, type NodeReader, nodeHash } from '../../proof/log/merkle.ts';
import { TILE_HEIGHT, TILE_WIDTH } from '../../proof/log/tiles.ts';
import { LogDamage } from './damage.ts';
import { FIRST_LEAF } from './logs.ts';
import { type LogRow, logSql } from './store.ts';

/** How many leaves a log has. */
export function sizeOf(snapshot: Snapshot, { name }: Pick<LogRow, 'name'>): number {
  const newest = logSql(snapshot).leaves[name].newest.get()?.leafSeq ?? 0;
  return newest === 0 ? 0 : newest - FIRST_LEAF + 1;
}

/**
 * The hashes that stand side by side at a level of tiles, `from` to `to`, exclusive: at level 0 leaves, above it the roots of
 * the full tiles below. @throws LogDamage when they are not all there
 */
export function neighbours(
  snapshot: Snapshot,
  { name }: LogRow,
  tileLevel: number,
  from: number,
  to: number,
): Uint8Array[] {
  const sql = logSql(snapshot);
  const rows =
    tileLevel === 0
      ? sql.leaves[name].hashes.all({ from: FIRST_LEAF + from, to: FIRST_LEAF + to })
      : sql.tileRoots.all({ name, level: tileLevel - 1, from, to });
  if (rows.length !== to - from) {
    throw new LogDamage(name, `log ${name} lacks hashes ${from} to ${to} of tile level ${tileLevel}`);
  }
  return rows.map(({ hash }) => hash);
}

/**
 * What was made of a log's nodes lately, by level and index. A perfect subtree never changes, and every proof against one
 * checkpoint needs the same few at the right edge.
 */
const made = new WeakMap<LogRow, Map<string, Uint8Array>>();
const MADE_MAX = 2048;

/**
 * Reads the nodes of a log's tree, of what is committed. Each costs one look-up, but for those above the last leaves, whose
 * tile is not full: they are made from at most 128 hashes beside each other, and remembered with `log`.
 */
export function nodesOf(snapshot: Snapshot, log: LogRow): NodeReader {
  const { name } = log;
  const edge = made.get(log) ?? new Map<string, Uint8Array>();
  made.set(log, edge);
  // The nodes of a proof lie in one tile a level.
  const tiles = new Map<string, Uint8Array | null>();
  const tile = (level: number, tileIndex: number): Uint8Array | null => {
    const place = `${level} ${tileIndex}`;
    const known = tiles.get(place);
    if (known !== undefined) return known;
    const nodes = logSql(snapshot).tile.get({ name, level, tileIndex })?.nodes ?? null;
    tiles.set(place, nodes);
    return nodes;
  };
  return (level, index) => {
    const tileLevel = Math.floor(level / TILE_HEIGHT);
    const height = level % TILE_HEIGHT;
    const width = 2 ** height;
    const from = index * width;
    if (height > 0) {
      const nodes = tile(tileLevel, Math.floor(from / TILE_WIDTH));
      if (nodes !== null) {
        const at = (rowOf(height) + (index % (TILE_WIDTH / width))) * HASH_BYTES;
        return nodes.subarray(at, at + HASH_BYTES);
      }
    }
    if (height === 0) return rootAbove(neighbours(snapshot, log, tileLevel, from, from + width));
    const place = `${level} ${index}`;
    const known = edge.get(place);
    if (known !== undefined) return known;
    const root = rootAbove(neighbours(snapshot, log, tileLevel, from, from + width));
    if (edge.size >= MADE_MAX) edge.clear();
    edge.set(place, root);
    return root;
  };
}

/** Writes down what lies above the leaf `index`, the last of its log, where it is the last of its neighbours too. */
export function completeTilesIn(tx: Transaction, log: LogRow, index: number): void {
  const { name } = log;
  let ended = index + 1;
  for (let level = 0; ended % TILE_WIDTH === 0; level++) {
    const rows = rowsAbove(neighbours(tx, log, level, ended - TILE_WIDTH, ended));
    const [root = new Uint8Array()] = rows.pop() ?? [];
    ended /= TILE_WIDTH;
    logSql(tx).insertTile.run({
      name,
      level,
      tileIndex: ended - 1,
      root,
      nodes: Buffer.concat(rows.flat()),
    });
  }
}

/** Where the nodes of a height stand in a tile: below them all of the heights before. */
function rowOf(height: number): number {
  return TILE_WIDTH - TILE_WIDTH / 2 ** (height - 1);
}

/** The root of a perfect tree over these hashes, of which there are a power of two. */
export function rootAbove(hashes: Uint8Array[]): Uint8Array {
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
