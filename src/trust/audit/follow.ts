import { nativePrimitives } from '../../platform/crypto.ts';
import { Failure } from '../../platform/failure.ts';
import type { Checkpoint } from '../../proof/checkpoint.ts';
import { equalBytes } from '../../proof/equal-bytes.ts';
import { bytesToHex } from '../../proof/hex.ts';
import { Frontier, leafHash } from '../../proof/merkle.ts';
import { tilePath } from '../../proof/tiles.ts';
import type { LogName } from '../log/logs.ts';
import { bundlesOf, type LogSource } from '../log/source.ts';
import type { LogCopy } from './copy.ts';
import type { GrowingTree } from './growing-tree.ts';

/** A checkpoint that a log has signed. */
export interface SignedTree {
  note: string;
  checkpoint: Checkpoint;
}

/** A log has told two stories: two checkpoints, both signed by it, of which one tree is not the beginning of the other. */
export class Equivocation extends Error {
  override readonly name = 'Equivocation';
  constructor(
    readonly log: LogName,
    readonly before: SignedTree,
    readonly after: SignedTree,
    reason: string,
  ) {
    super(reason);
  }
}

/** What hears of every new entry. */
export type EntryListener = (entry: Uint8Array, index: number) => Promise<void> | void;

/**
 * Brings a copy up to a signed checkpoint: every new entry is fetched, and the tree that they make must be the checkpoint's.
 *
 * @returns how many entries are new
 * @throws Equivocation for a tree that is smaller, or other, or does not begin with the copy's
 * @throws Failure for a source that does not give what its checkpoint is of
 */
export async function follow(
  copy: LogCopy,
  source: LogSource,
  signed: SignedTree,
  heard: EntryListener,
): Promise<number> {
  const { checkpoint, note } = signed;
  const { last, size } = copy;
  if (last !== null && checkpoint.size < size) {
    throw new Equivocation(
      copy.name,
      last,
      signed,
      `the tree has shrunk from ${size} leaves to ${checkpoint.size}`,
    );
  }
  if (last !== null && checkpoint.size === size && !equalBytes(checkpoint.root, last.checkpoint.root)) {
    throw new Equivocation(copy.name, last, signed, `two trees of ${size} leaves have different roots`);
  }
  const tree = copy.growing();
  const isSame = checkpoint.size === size || (await grow(copy, source, tree, checkpoint.size, heard));
  if (!isSame || !equalBytes(tree.root(), checkpoint.root)) throw await explained(copy, source, signed);
  if (note !== last?.note) await copy.hold(note, checkpoint, tree);
  return checkpoint.size - size;
}

/** Fetches, hears and writes what is new. @returns false when what is there already is told otherwise now */
async function grow(
  copy: LogCopy,
  source: LogSource,
  tree: GrowingTree,
  size: number,
  heard: EntryListener,
): Promise<boolean> {
  for await (const { start, path, bytes, entries } of bundlesOf(source, copy.name, tree.size, size)) {
    const known = tree.edge()[0] ?? [];
    // The hashes of a bundle stay where the tree gives its tile away.
    const there = start + known.length === tree.size ? [...known] : [];
    for (const [at, entry] of entries.entries()) {
      const hash = leafHash(nativePrimitives, entry);
      const before = there[at];
      if (before !== undefined) {
        if (!equalBytes(before, hash)) return false;
        continue;
      }
      const index = tree.size;
      for (const { level, index: tile, hashes } of tree.append(hash)) {
        await copy.write(tilePath(level, tile), Buffer.concat([...hashes]));
      }
      await heard(entry, index);
    }
    await copy.write(path, bytes);
  }
  return true;
}

/**
 * Why the entries do not make the checkpoint's tree. Where the whole of what is given now does, the log has forked; else nothing
 * is shown but that the source does not give what was signed.
 */
async function explained(copy: LogCopy, source: LogSource, signed: SignedTree): Promise<Error> {
  const { checkpoint } = signed;
  const frontier = new Frontier(nativePrimitives);
  let former: Uint8Array | null = copy.size === 0 ? frontier.root() : null;
  for await (const { entries } of bundlesOf(source, copy.name, 0, checkpoint.size)) {
    for (const entry of entries) {
      frontier.append(leafHash(nativePrimitives, entry));
      if (frontier.size === copy.size) former = frontier.root();
    }
  }
  if (
    copy.last !== null &&
    equalBytes(frontier.root(), checkpoint.root) &&
    former !== null &&
    !equalBytes(former, copy.root)
  ) {
    const reason = `the tree of ${checkpoint.size} leaves does not begin with that of ${copy.size}: its first ${copy.size} leaves have the root ${bytesToHex(former)}`;
    return new Equivocation(copy.name, copy.last, signed, reason);
  }
  return new Failure(
    `${source.place}/${copy.name} gives entries that do not make the tree of its checkpoint (${checkpoint.size} leaves)`,
    'it may be damaged, or somebody between; it is asked again',
  );
}
