import { nativePrimitives } from '../../platform/crypto.ts';
import { encodeBase64 } from '../../proof/base64.ts';
import { Frontier, nodeHash } from '../../proof/merkle.ts';
import { TILE_WIDTH } from '../../proof/tiles.ts';

/** A tile that became full: its 256 hashes, and the rows above them up to the root. */
export interface FullTile {
  level: number;
  index: number;
  hashes: readonly Uint8Array[];
}

/**
 * A tree that grows by leaf hashes and gives its tiles as they become full. It holds the last tile of each level and the right
 * edge alone, so that memory grows with the logarithm of the size.
 */
export class GrowingTree {
  /** Of each level of tiles the hashes of the last one, while it is not full. */
  private readonly partial: Uint8Array[][];
  private readonly frontier: Frontier;

  private constructor(partial: Uint8Array[][], frontier: Frontier) {
    this.partial = partial;
    this.frontier = frontier;
  }

  static empty(): GrowingTree {
    return new GrowingTree([], new Frontier(nativePrimitives));
  }

  /**
   * The tree of a size from its last tiles, level by level, each with as many hashes as it has.
   * @throws RangeError for as many as no such tree has
   */
  static from(size: number, partial: readonly (readonly Uint8Array[])[]): GrowingTree {
    const peaks: string[] = [];
    let hashes = size;
    for (const row of partial) {
      if (row.length !== hashes % TILE_WIDTH)
        throw new RangeError(`a tree of size ${size} has other tiles at its edge`);
      hashes = Math.floor(hashes / TILE_WIDTH);
      // The perfect subtrees at the end of a tile, smallest last: one for each bit of its width.
      let end = row.length;
      for (let width = 1; width < TILE_WIDTH; width *= 2) {
        if (Math.floor(end / width) % 2 === 0) continue;
        peaks.push(encodeBase64(perfectRoot(row.slice(end - width, end))));
        end -= width;
      }
    }
    if (hashes > 0) throw new RangeError(`a tree of size ${size} has more levels of tiles`);
    const frontier = Frontier.from(nativePrimitives, { size, hashes: peaks.reverse() });
    return new GrowingTree(
      partial.map((row) => [...row]),
      frontier,
    );
  }

  get size(): number {
    return this.frontier.size;
  }

  /** The root of the tree so far. */
  root(): Uint8Array {
    return this.frontier.root();
  }

  /** A tree that grows on by itself. */
  clone(): GrowingTree {
    return new GrowingTree(
      this.partial.map((row) => [...row]),
      Frontier.from(nativePrimitives, this.frontier.toJSON()),
    );
  }

  /** Adds a leaf. @returns the tiles that it made full, level by level */
  append(leaf: Uint8Array): FullTile[] {
    this.frontier.append(leaf);
    const full: FullTile[] = [];
    let hash: Uint8Array | null = leaf;
    let index = this.frontier.size;
    for (let level = 0; hash !== null; level++) {
      const row: Uint8Array[] = this.partial[level] ?? [];
      this.partial[level] = row;
      row.push(hash);
      hash = null;
      if (row.length < TILE_WIDTH) break;
      index /= TILE_WIDTH;
      full.push({ level, index: index - 1, hashes: row });
      this.partial[level] = [];
      hash = perfectRoot(row);
    }
    return full;
  }

  /** The last tiles that are not full, level by level; a level may have none. */
  edge(): readonly (readonly Uint8Array[])[] {
    return this.partial;
  }
}

/** The root over hashes of which there are a power of two. */
function perfectRoot(hashes: readonly Uint8Array[]): Uint8Array {
  return rowsOver(hashes).at(-1)?.[0] ?? hashes[0] ?? new Uint8Array();
}

/** All rows of a perfect tree above its lowest, the root's last. */
export function rowsOver(lowest: readonly Uint8Array[]): Uint8Array[][] {
  const rows: Uint8Array[][] = [];
  let below = lowest;
  while (below.length > 1) {
    const row: Uint8Array[] = [];
    for (let at = 1; at < below.length; at += 2) {
      const [left = EMPTY, right = EMPTY] = [below[at - 1], below[at]];
      row.push(nodeHash(nativePrimitives, left, right));
    }
    rows.push(row);
    below = row;
  }
  return rows;
}

const EMPTY = new Uint8Array();
