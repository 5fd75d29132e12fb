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

/** The last checkpoint that a copy holds all of. */
interface Held {
  note: string;
  checkpoint: Checkpoint;
}

/**
 * A log's static form in a directory (C2SP tlog-tiles). What its checkpoint covers is there, whenever the process ends: a
 * checkpoint is written once all below it is on the disk, and what it replaces is removed after. Names of files are made of
 * numbers alone, never of what anybody sent.
 */
export class LogCopy {
  private constructor(
    private readonly directory: string,
    readonly name: LogName,
    private held: Held | null,
    private tree: GrowingTree,
  ) {}

  /** Opens what is there, or begins. @throws Failure for a copy whose tiles are not those of its checkpoint */
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
      throw new Error('its tiles are not those of its checkpoint');
    } catch (error) {
      throw new Failure(
        `the copy in ${directory} is damaged: ${error instanceof Error ? error.message : String(error)}`,
        'keep it for an investigation, and start another copy with --state',
      );
    }
  }

  /** The last checkpoint; null before the first. */
  get last(): Held | null {
    return this.held;
  }

  /** How many leaves there are, and their root. */
  get size(): number {
    return this.tree.size;
  }

  get root(): Uint8Array {
    return this.held?.checkpoint.root ?? emptyRoot(nativePrimitives);
  }

  /** The root of the first `size` leaves, from the entries. @throws Failure for a copy whose entries do not make its own tree */
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
      `the copy in ${this.directory} is damaged: its entries are not those of its checkpoint`,
      'keep it for an investigation, and start another copy with --state',
    );
  }

  /** A tree to grow beyond what is held. */
  growing(): GrowingTree {
    return this.tree.clone();
  }

  /** Writes a file below the log durably, all of it or nothing; what names it is made durable by `hold`. */
  async write(path: string, bytes: Uint8Array | string): Promise<void> {
    const target = join(this.directory, path);
    mkdirSync(dirname(target), { recursive: true, mode: 0o700 });
    // One name for all, so that a kill leaves no more than one behind, which the next write takes.
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

  /** Directories with names that are not durable yet. */
  private readonly touched = new Set<string>();

  /** Holds a checkpoint whose tree and entries were written. */
  async hold(note: string, checkpoint: Checkpoint, tree: GrowingTree): Promise<void> {
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
    this.held = { note, checkpoint };
    this.tree = tree;
    this.forget(before, checkpoint.size);
  }

  private syncUpTo(directory: string): void {
    for (let at = directory; at.length >= this.directory.length; at = dirname(at)) syncPath(at);
  }

  /** Removes the partial tiles of a size that later ones have taken the place of. */
  private forget(before: number, now: number): void {
    const kept = new Set(partialPaths(now));
    for (const path of partialPaths(before)) {
      if (kept.has(path)) continue;
      const target = join(this.directory, path);
      rmSync(target, { force: true });
      try {
        rmdirSync(dirname(target));
      } catch {
        // Another partial tile stands beside it.
      }
    }
  }
}

/** The paths of the tiles, entries included, that are partial in a tree of a size. */
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

/** The last tile of each level, which is not full. */
function edgeOf(directory: string, size: number): Uint8Array[][] {
  const edge: Uint8Array[][] = [];
  for (let level = 0, hashes = size; hashes > 0; level++) {
    const [index, width] = [Math.floor(hashes / TILE_WIDTH), hashes % TILE_WIDTH];
    const bytes = width === 0 ? new Uint8Array() : readFile(join(directory, tilePath(level, index, width)));
    if (bytes.length !== width * HASH_BYTES)
      throw new Error(`${tilePath(level, index, width)} has another length`);
    edge.push(
      Array.from(
        { length: width },
        (_, at) => new Uint8Array(bytes.subarray(at * HASH_BYTES, (at + 1) * HASH_BYTES)),
      ),
    );
    hashes = index;
  }
  return edge;
}
