import { emptyRoot, HASH_BYTES, nodeHash } from '../../proof/log/merkle.ts';
import { TILE_HEIGHT, TILE_WIDTH, tilePath } from '../../proof/log/tiles.ts';
import { nativePrimitives } from '../crypto/crypto.ts';
import { Failure } from '../failure.ts';
import type { LogSource } from './source.ts';

/** A part of a tree: the hashes of the whole part, and of the leaves in it that a smaller tree has. */
interface Part {
  whole: Uint8Array;
  /** Null if the smaller tree has none of the leaves. */
  prefix: Uint8Array | null;
}

/**
 * The tree of a log's tiles (C2SP tlog-tiles). It reads only the tiles that lead to a root: at most two for
 * each level of tiles, never an entry.
 */
export class TileTree {
  readonly #tiles = new Map<string, Promise<readonly Uint8Array[]>>();

  /** @param path the directory of the log in the source, such as `receipts` */
  constructor(
    private readonly source: LogSource,
    private readonly path: string,
    readonly size: number,
  ) {}

  /**
   * Computes the root of the first `size` leaves and that of the whole tree from the same hashes. If the
   * second one is the tree's, the first one is that of its first leaves.
   * @param size at most that of the tree
   * @throws Failure for a tile that is missing or has another length
   */
  async rootsAt(size: number): Promise<{ prefix: Uint8Array; whole: Uint8Array }> {
    const empty = emptyRoot(nativePrimitives);
    if (this.size === 0) return { prefix: empty, whole: empty };
    const { whole, prefix } = await this.#part(0, this.size, size);
    return { whole, prefix: prefix ?? empty };
  }

  async #part(start: number, end: number, size: number): Promise<Part> {
    const width = end - start;
    const level = Math.log2(width);
    const isWhole = size <= start || size >= end;
    // A part whose width is a power of two begins at a multiple of it, so the tiles have its hash.
    if (isWhole && Number.isInteger(level) && 2 ** level === width) {
      const hash = await this.#node(level, start / width);
      return { whole: hash, prefix: size >= end ? hash : null };
    }
    const middle = start + largestPowerBelow(width);
    const left = await this.#part(start, middle, size);
    const right = await this.#part(middle, end, size);
    return {
      whole: nodeHash(nativePrimitives, left.whole, right.whole),
      prefix: right.prefix === null ? left.prefix : nodeHash(nativePrimitives, left.whole, right.prefix),
    };
  }

  /** Returns the hash of a perfect subtree of 2^`level` leaves from the hashes of one tile. */
  async #node(level: number, index: number): Promise<Uint8Array> {
    const tileLevel = Math.floor(level / TILE_HEIGHT);
    const width = 2 ** (level % TILE_HEIGHT);
    const first = index * width;
    const tile = await this.#tile(tileLevel, Math.floor(first / TILE_WIDTH));
    let row = tile.slice(first % TILE_WIDTH, (first % TILE_WIDTH) + width);
    while (row.length > 1) row = paired(row);
    const [hash] = row;
    if (hash === undefined) throw new RangeError(`the tree has no node ${index} of level ${level}`);
    return hash;
  }

  #tile(level: number, index: number): Promise<readonly Uint8Array[]> {
    const hashes = Math.floor(this.size / TILE_WIDTH ** level);
    const width = Math.min(TILE_WIDTH, hashes - index * TILE_WIDTH);
    const path = `${this.path}/${tilePath(level, index, width)}`;
    const tile = this.#tiles.get(path) ?? this.#read(path, width);
    this.#tiles.set(path, tile);
    return tile;
  }

  async #read(path: string, width: number): Promise<readonly Uint8Array[]> {
    const bytes = await this.source.read(path);
    if (bytes.length !== width * HASH_BYTES)
      throw new Failure(
        `${this.source.location}/${path} has ${bytes.length} bytes instead of ${width * HASH_BYTES}`,
        'use another copy of the log: this one is damaged',
      );
    return Array.from({ length: width }, (_, at) => bytes.slice(at * HASH_BYTES, (at + 1) * HASH_BYTES));
  }
}

function paired(row: readonly Uint8Array[]): Uint8Array[] {
  return Array.from({ length: row.length / 2 }, (_, at) => {
    const [left = new Uint8Array(), right = new Uint8Array()] = row.slice(2 * at, 2 * at + 2);
    return nodeHash(nativePrimitives, left, right);
  });
}

/** Returns the largest power of two below a number from 2 to 2^53 − 1. */
function largestPowerBelow(number: number): number {
  let power = 1;
  while (power * 2 < number) power *= 2;
  return power;
}
