import type { Snapshot } from '../../../platform/store/transaction.ts';
import { type FullTile, GrowingTree } from '../../../platform/tlog/growing-tree.ts';
import { equalBytes } from '../../../proof/encoding/equal-bytes.ts';
import { bytesToHex } from '../../../proof/encoding/hex.ts';
import { HASH_BYTES } from '../../../proof/log/merkle.ts';
import type { Problem } from '../../../proof/log/problem.ts';
import { COMPLETE_MS } from '../../../proof/log/retention.ts';
import { TILE_WIDTH } from '../../../proof/log/tiles.ts';
import { newestTimeOf } from '../checkpoints/thinning-store.ts';
import { HIGH_WATER_FILE, type HighWater } from '../high-water.ts';
import type { LogRow } from '../logs.ts';
import { sizeOf } from '../tree/tree.ts';
import { checkpointLocation } from './checkpoints.ts';
import { type CheckpointRoot, checkpointRootsAfter, tileAt, tilesAbove, tilesFrom } from './store.ts';

/** The number of tile levels that can exist. */
const LEVELS = 8;

const NONE: Problem[] = [];

/**
 * Rebuilds a log's tree leaf by leaf, and compares its checkpoints with it. For an open log it also compares
 * the tiles, which the logs that continue one another share.
 */
export class TreeAudit {
  private readonly tree = GrowingTree.empty();
  private roots: CheckpointRoot[] = [];
  private last: CheckpointRoot | null = null;
  private ended = false;
  private isMarkCompared = false;

  /**
   * @param reach the newest checkpoint that is audited
   * @param mark the log's entry in the high-water mark
   */
  constructor(
    readonly log: LogRow,
    private readonly reach: number,
    private readonly mark: HighWater['logs']['receipts'] | null,
  ) {}

  /** Adds the next leaf. For most leaves there is nothing to compare yet. @returns problems */
  append(snapshot: Snapshot, hash: Uint8Array): Problem[] | Promise<Problem[]> {
    if (this.mayCompareHere()) return this.appendAndCompare(snapshot, hash);
    const full = this.tree.append(hash);
    return full.length === 0 ? NONE : this.tilesProblems(snapshot, full);
  }

  /** Returns the remaining problems after the last leaf. */
  async end(snapshot: Snapshot): Promise<Problem[]> {
    const problems = await this.rootsHere(snapshot);
    for (let root = await this.next(snapshot); root !== null; root = await this.next(snapshot)) {
      this.roots.shift();
      this.last = root;
      problems.push({
        ...checkpointLocation(root),
        log: this.log.origin,
        what: 'tree_size is more than the log has leaves',
        expected: `at most ${this.tree.size}`,
        found: String(root.treeSize),
      });
    }
    if (this.mark !== null && this.mark.tree_size > this.tree.size) {
      const values = { expected: `${this.mark.tree_size} leaves`, found: `${this.tree.size}` };
      problems.push({ ...this.markLocation(), what: 'more was published than the database has', ...values });
    }
    return this.log.closedSize === null ? [...problems, ...(await this.strayTiles(snapshot))] : problems;
  }

  /** Returns whether a checkpoint or the mark may have the current size. */
  private mayCompareHere(): boolean {
    const { size } = this.tree;
    const [root] = this.roots;
    return (root === undefined ? !this.ended : root.treeSize <= size) || this.mark?.tree_size === size;
  }

  private async appendAndCompare(snapshot: Snapshot, hash: Uint8Array): Promise<Problem[]> {
    const problems = await this.rootsHere(snapshot);
    return [...problems, ...(await this.tilesProblems(snapshot, this.tree.append(hash)))];
  }

  /** Compares the checkpoints of the current size with the tree. */
  private async rootsHere(snapshot: Snapshot): Promise<Problem[]> {
    const problems: Problem[] = [];
    const { size } = this.tree;
    let computedRoot: Uint8Array | null = null;
    let root = await this.next(snapshot);
    for (; root !== null && root.treeSize <= size; root = await this.next(snapshot)) {
      this.roots.shift();
      computedRoot ??= this.tree.root();
      problems.push(...(await this.orderProblems(snapshot, root)));
      if (root.treeSize === size && !equalBytes(computedRoot, root.rootHash)) {
        problems.push({
          ...checkpointLocation(root),
          log: this.log.origin,
          what: `root_hash does not match the first ${root.treeSize} leaves`,
          expected: bytesToHex(computedRoot),
          found: bytesToHex(root.rootHash),
        });
      }
      this.last = root;
    }
    return [...problems, ...this.markHere()];
  }

  /** Compares the high-water mark with the tree, if it has the current size. */
  private markHere(): Problem[] {
    if (this.mark?.tree_size !== this.tree.size || this.isMarkCompared) return [];
    this.isMarkCompared = true;
    const root = bytesToHex(this.tree.root());
    if (root === this.mark.root_hash) return [];
    const problem = `the first ${this.tree.size} leaves are not those that were published`;
    return [{ ...this.markLocation(), what: problem, expected: this.mark.root_hash, found: root }];
  }

  private markLocation() {
    return { table: HIGH_WATER_FILE, row: {}, log: this.log.origin };
  }

  /**
   * Verifies that sizes, times and numbers grow in one order, and that each checkpoint names the one before,
   * unless that was deleted.
   */
  private async orderProblems(snapshot: Snapshot, root: CheckpointRoot): Promise<Problem[]> {
    const { last } = this;
    const location = { ...checkpointLocation(root), log: this.log.origin };
    const problems: Problem[] = [];
    const isNext = root.previousId === (last?.checkpointId ?? null);
    if (!isNext && (root.previousId === null || !(await this.isThinned(snapshot, root)))) {
      problems.push({
        ...location,
        what: 'previous_id is not the checkpoint before it',
        expected: String(last?.checkpointId ?? null),
        found: String(root.previousId),
      });
    }
    const smallest = last?.treeSize ?? 0;
    const previousSize = root.previousSize ?? 0;
    if (isNext ? previousSize !== smallest : previousSize < smallest || previousSize > root.treeSize) {
      problems.push({
        ...location,
        what: 'previous_size is not the size of the checkpoint before it',
        expected: isNext ? String(smallest) : `${smallest} to ${root.treeSize}`,
        found: String(previousSize),
      });
    }
    if (last !== null && last.checkpointSeq > root.checkpointSeq) {
      problems.push({
        ...location,
        what: `its tree is larger than the tree of the later checkpoint (checkpoint_seq ${last.checkpointSeq})`,
      });
    }
    if (last !== null && last.issuedAt > root.issuedAt) {
      problems.push({
        ...location,
        what: 'issued_at goes back',
        expected: `${last.issuedAt} or later`,
        found: root.issuedAt,
      });
    }
    return problems;
  }

  /** Returns whether `Thinning` may have deleted checkpoints before this one, even during the audit. */
  private async isThinned(snapshot: Snapshot, { issuedAt }: CheckpointRoot): Promise<boolean> {
    const newest = await newestTimeOf(snapshot, this.log.logSeq);
    return newest !== null && Date.parse(issuedAt) < Date.parse(newest) - COMPLETE_MS;
  }

  private async next(snapshot: Snapshot): Promise<CheckpointRoot | null> {
    if (this.roots.length === 0 && !this.ended) {
      this.roots = await checkpointRootsAfter(snapshot, this.log.logSeq, this.reach, this.last);
      this.ended = this.roots.length === 0;
    }
    return this.roots[0] ?? null;
  }

  /** Compares the tiles that a leaf completes with the stored ones. */
  private async tilesProblems(snapshot: Snapshot, full: readonly FullTile[]): Promise<Problem[]> {
    if (this.log.closedSize !== null) return [];
    const problems: Problem[] = [];
    for (const tile of full) problems.push(...(await this.tileProblems(snapshot, tile)));
    return problems;
  }

  private async tileProblems(snapshot: Snapshot, { level, index, above }: FullTile): Promise<Problem[]> {
    const { name, origin } = this.log;
    const stored = await tileAt(snapshot, { name, level, tileIndex: index });
    if (stored === null) {
      const row = { name, level, tile_index: index };
      return [{ table: 'log_tile', row, log: origin, what: 'it is not there' }];
    }
    const location = {
      table: 'log_tile',
      row: { tile_seq: stored.tileSeq },
      id: `tile ${level}/${index}`,
      log: origin,
    };
    const rows = [...above];
    const root = rows.pop()?.[0] ?? new Uint8Array();
    const problems: Problem[] = [];
    if (!equalBytes(root, stored.root)) {
      problems.push({
        ...location,
        what: 'root does not match the neighbouring hashes',
        expected: bytesToHex(root),
        found: bytesToHex(stored.root),
      });
    }
    const at = rows
      .flat()
      .findIndex(
        (node, number) =>
          !equalBytes(node, stored.nodes.subarray(number * HASH_BYTES, (number + 1) * HASH_BYTES)),
      );
    if (at !== -1) {
      const expected = bytesToHex(rows.flat()[at] ?? new Uint8Array());
      const actual = bytesToHex(stored.nodes.subarray(at * HASH_BYTES, (at + 1) * HASH_BYTES));
      problems.push({
        ...location,
        what: `node ${at} of nodes does not match the neighbouring hashes`,
        expected,
        found: actual,
      });
    }
    return problems;
  }

  /** Returns the problems of tiles beyond the leaves. */
  private async strayTiles(snapshot: Snapshot): Promise<Problem[]> {
    const { name, origin: log } = this.log;
    const problems: Problem[] = [];
    let full = this.tree.size;
    for (let level = 0; level < LEVELS; level++) {
      full = Math.floor(full / TILE_WIDTH);
      // Leaves that were written since the audit began are not audited, so their tiles are not compared.
      const there = Math.floor((await sizeOf(snapshot, this.log)) / TILE_WIDTH ** (level + 1));
      for (const { tileSeq, tileIndex } of await tilesFrom(snapshot, { name, level, from: full })) {
        if (tileIndex < there) continue;
        const location = { row: { tile_seq: tileSeq }, id: `tile ${level}/${tileIndex}`, log };
        problems.push({ table: 'log_tile', ...location, what: 'it covers leaves that do not exist' });
      }
    }
    for (const { tileSeq, level, tileIndex } of await tilesAbove(snapshot, { name, level: LEVELS })) {
      const location = { row: { tile_seq: tileSeq }, id: `tile ${level}/${tileIndex}`, log };
      problems.push({ table: 'log_tile', ...location, what: 'no tile has its level' });
    }
    return problems;
  }
}
