import { equalBytes } from '../../proof/encoding/equal-bytes.ts';
import type { LogName } from '../../proof/log/log-names.ts';
import { HASH_BYTES, nodeHash, treeRoot } from '../../proof/log/merkle.ts';
import { TILE_HEIGHT, TILE_WIDTH, tilePath } from '../../proof/log/tiles.ts';
import { nativePrimitives } from '../crypto/crypto.ts';
import { Failure } from '../failure.ts';
import type { LogSource } from './source.ts';

/**
 * Computes roots of a log from the tiles of a source (C2SP tlog-tiles). It reads as many as a proof needs, at
 * most some for each eight levels. Each full tile must have the hash that the tile above it has, up to the
 * root of the whole tree, which the caller compares first: so a damaged tile does not look like a fork.
 */
export class TileRoots {
  readonly #tiles = new Map<string, Promise<readonly Uint8Array[]>>();

  /** @param stored the size of the source's tree, from which the names of its last tiles follow */
  constructor(
    private readonly source: LogSource,
    private readonly name: LogName,
    private readonly stored: number,
  ) {}

  /**
   * Returns the root of the first `size` entries, at most `stored`.
   * @throws Failure for a tile that is missing or damaged
   */
  async at(size: number): Promise<Uint8Array> {
    const nodes = new Map<string, Uint8Array>();
    // The perfect subtrees of which the tree consists: one for each bit of the size.
    for (let level = 0, count = size; count > 0; level++, count = Math.floor(count / 2)) {
      if (count % 2 === 1) nodes.set(`${level} ${count - 1}`, await this.#node(level, count - 1));
    }
    return treeRoot(nativePrimitives, size, (level, index) => {
      const node = nodes.get(`${level} ${index}`);
      if (node === undefined) throw new RangeError(`${size} has no subtree ${level} ${index}`);
      return node;
    });
  }

  /** Returns the hash of a perfect subtree, from the hashes below it in one tile. */
  async #node(level: number, index: number): Promise<Uint8Array> {
    const width = 2 ** (level % TILE_HEIGHT);
    const first = index * width;
    const tile = await this.#tile(Math.floor(level / TILE_HEIGHT), Math.floor(first / TILE_WIDTH));
    const at = first % TILE_WIDTH;
    return foldedOf(tile.slice(at, at + width));
  }

  #tile(level: number, index: number): Promise<readonly Uint8Array[]> {
    const known = this.#tiles.get(`${level} ${index}`) ?? this.#read(level, index);
    this.#tiles.set(`${level} ${index}`, known);
    return known;
  }

  async #read(level: number, index: number): Promise<readonly Uint8Array[]> {
    const hashes = Math.floor(this.stored / TILE_WIDTH ** level) - index * TILE_WIDTH;
    const width = Math.min(TILE_WIDTH, hashes);
    const path = `${this.name}/${tilePath(level, index, width)}`;
    const bytes = await this.source.read(path);
    const damaged = (what: string): Failure =>
      new Failure(`${this.source.location}/${path} ${what}`, 'use another copy: this one is damaged');
    if (bytes.length !== width * HASH_BYTES)
      throw damaged(`has ${bytes.length} bytes, not ${width * HASH_BYTES}`);
    const tile = Array.from({ length: width }, (_, at) =>
      bytes.subarray(at * HASH_BYTES, (at + 1) * HASH_BYTES),
    );
    if (width < TILE_WIDTH) return tile;
    const above = await this.#tile(level + 1, Math.floor(index / TILE_WIDTH));
    const expected = above[index % TILE_WIDTH];
    if (expected === undefined || !equalBytes(foldedOf(tile), expected))
      throw damaged('does not have the hash that the tile above it has');
    return tile;
  }
}

/** Returns the root of as many hashes as a power of two. */
function foldedOf(hashes: readonly Uint8Array[]): Uint8Array {
  const [left, right] = [hashes[0], hashes[1]];
  if (left === undefined) throw new RangeError('a subtree has at least one leaf');
  if (right === undefined) return left;
  const half = hashes.length / 2;
  return nodeHash(nativePrimitives, foldedOf(hashes.slice(0, half)), foldedOf(hashes.slice(half)));
}
