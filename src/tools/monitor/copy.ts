import { existsSync, mkdirSync, rmdirSync, rmSync } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { nativePrimitives } from '../../platform/crypto/crypto.ts';
import { Failure } from '../../platform/failure.ts';
import { readFile, readText } from '../../platform/files/read.ts';
import { syncPath } from '../../platform/files/write.ts';
import { GrowingTree } from '../../platform/tlog/growing-tree.ts';
import { bundlesOf, logSource } from '../../platform/tlog/source.ts';
import { equalBytes } from '../../proof/encoding/equal-bytes.ts';
import { type Checkpoint, parseCheckpoint } from '../../proof/log/checkpoint.ts';
import type { LogName } from '../../proof/log/log-names.ts';
import { emptyRoot, Frontier, HASH_BYTES, leafHash } from '../../proof/log/merkle.ts';
import { parseNote } from '../../proof/log/note.ts';
import { TILE_WIDTH, tilePath } from '../../proof/log/tiles.ts';

/** The last checkpoint whose whole tree is in the copy. */
interface StoredCheckpoint {
  note: string;
  checkpoint: Checkpoint;
}

/**
 * A copy of a log's files in a directory (C2SP tlog-tiles). It is consistent even if the process is killed: a
 * checkpoint is written after all its tiles and entries are durable, and replaced files are removed
 * afterwards. File names consist only of numbers, never of received data.
 */
export class LogCopy {
  private constructor(
    readonly directory: string,
    readonly name: LogName,
    private stored: StoredCheckpoint | null,
    private tree: GrowingTree,
  ) {}

  /**
   * Opens the copy, or creates an empty one.
   * @throws Failure for a copy whose tiles do not match its checkpoint
   */
  static open(state: string, name: LogName): LogCopy {
    const directory = join(state, name);
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    const path = join(directory, 'checkpoint');
    if (!existsSync(path)) return new LogCopy(directory, name, null, GrowingTree.empty());
    try {
      const note = readText(path);
      const checkpoint = parseCheckpoint(parseNote(Buffer.from(note)).text);
      const tree = GrowingTree.from(checkpoint.size, edgeOf(directory, checkpoint.size));
      if (equalBytes(tree.root(), checkpoint.root))
        return new LogCopy(directory, name, { note, checkpoint }, tree);
      throw new Error('its tiles do not match its checkpoint');
    } catch (error) {
      throw new Failure(
        `the copy in ${directory} is damaged: ${error instanceof Error ? error.message : String(error)}`,
        'keep it for an investigation, and start another copy with --state',
      );
    }
  }

  /** The last checkpoint; null before the first. */
  get last(): StoredCheckpoint | null {
    return this.stored;
  }

  /** The number of leaves. */
  get size(): number {
    return this.tree.size;
  }

  get root(): Uint8Array {
    return this.stored?.checkpoint.root ?? emptyRoot(nativePrimitives);
  }

  /**
   * Computes the root of the first `size` leaves from the entries.
   * @throws Failure for a copy whose entries do not match its root
   */
  async rootAt(size: number): Promise<Uint8Array> {
    const frontier = new Frontier(nativePrimitives);
    let root = frontier.root();
    for await (const { entries } of bundlesOf(logSource(dirname(this.directory)), this.name, 0, this.size)) {
      for (const entry of entries) {
        frontier.append(leafHash(nativePrimitives, entry));
        if (frontier.size === size) root = frontier.root();
      }
    }
    if (equalBytes(frontier.root(), this.root)) return root;
    throw new Failure(
      `the copy in ${this.directory} is damaged: its entries do not match its checkpoint`,
      'keep it for an investigation, and start another copy with --state',
    );
  }

  /**
   * Computes the root of the first `size` leaves from the hashes in the tiles, without reading the entries.
   * @throws Error for a missing tile, or one of the wrong length
   */
  rootByTiles(size: number): Uint8Array {
    return GrowingTree.from(size, edgeOf(this.directory, size, this.size)).root();
  }

  /** Returns a clone of the tree, for appending new leaves. */
  growing(): GrowingTree {
    return this.tree.clone();
  }

  /** Writes a file of the log atomically and durably. `storeCheckpoint` makes its directory entry durable. */
  async write(path: string, bytes: Uint8Array | string): Promise<void> {
    const target = join(this.directory, path);
    mkdirSync(dirname(target), { recursive: true, mode: 0o700 });
    // One name for all temporary files: a killed process leaves at most one, and the next write replaces it.
    const fresh = join(this.directory, 'writing.new');
    const file = await open(fresh, 'w', 0o600);
    try {
      await file.writeFile(bytes);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(fresh, target);
    this.touched.add(dirname(target));
  }

  /** Directories whose entries are not durable yet. */
  private readonly touched = new Set<string>();

  /**
   * Stores a checkpoint durably, with the partial tiles. Its entries and full tiles must be written before.
   */
  async storeCheckpoint(note: string, checkpoint: Checkpoint, tree: GrowingTree): Promise<void> {
    for (const [level, hashes] of tree.edge().entries()) {
      if (hashes.length === 0) continue;
      const index = Math.floor(checkpoint.size / TILE_WIDTH ** (level + 1));
      await this.write(tilePath(level, index, hashes.length), Buffer.concat(hashes));
    }
    for (const directory of this.touched) this.syncUpTo(directory);
    this.touched.clear();
    await this.write('checkpoint', note);
    syncPath(this.directory);
    const before = this.tree.size;
    this.stored = { note, checkpoint };
    this.tree = tree;
    this.removeReplaced(before, checkpoint.size);
  }

  private syncUpTo(directory: string): void {
    for (let at = directory; at.length >= this.directory.length; at = dirname(at)) syncPath(at);
  }

  /** Removes the partial tiles of a tree size that newer tiles have replaced. */
  private removeReplaced(before: number, now: number): void {
    const current = new Set(partialPaths(now));
    for (const path of partialPaths(before)) {
      if (current.has(path)) continue;
      const target = join(this.directory, path);
      rmSync(target, { force: true });
      try {
        rmdirSync(dirname(target));
      } catch {
        // The directory is not empty: it contains another partial tile.
      }
    }
  }
}

/** Returns the paths of the partial tiles and the partial entry bundle of a tree of `size` leaves. */
function partialPaths(size: number): string[] {
  const paths: string[] = [];
  for (let level = 0, hashes = size; hashes > 0; level++) {
    const [index, width] = [Math.floor(hashes / TILE_WIDTH), hashes % TILE_WIDTH];
    if (width > 0) paths.push(tilePath(level, index, width));
    if (width > 0 && level === 0) paths.push(tilePath('entries', index, width));
    hashes = index;
  }
  return paths;
}

/**
 * Reads the hashes of each level's partial tile in a tree of `size` leaves; empty for a level without one.
 * @param storedSize the number of leaves in the directory, whose tiles can have more hashes
 * @throws Error for a tile of the wrong length
 */
function edgeOf(directory: string, size: number, storedSize = size): Uint8Array[][] {
  const edge: Uint8Array[][] = [];
  for (let level = 0, hashes = size, all = storedSize; hashes > 0; level++) {
    const [index, width] = [Math.floor(hashes / TILE_WIDTH), hashes % TILE_WIDTH];
    const stored = Math.min(all - index * TILE_WIDTH, TILE_WIDTH);
    const path = tilePath(level, index, Math.max(stored, 1));
    const bytes = width === 0 ? new Uint8Array() : readFile(join(directory, path));
    if (width > 0 && bytes.length !== stored * HASH_BYTES)
      throw new Error(`${path} has ${bytes.length} bytes instead of ${stored * HASH_BYTES}`);
    edge.push(
      Array.from(
        { length: width },
        (_, at) => new Uint8Array(bytes.subarray(at * HASH_BYTES, (at + 1) * HASH_BYTES)),
      ),
    );
    hashes = index;
    all = Math.floor(all / TILE_WIDTH);
  }
  return edge;
}
