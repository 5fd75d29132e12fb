import { nativePrimitives } from '../../platform/crypto/crypto.ts';
import { Failure } from '../../platform/failure.ts';
import type { GrowingTree } from '../../platform/tlog/growing-tree.ts';
import { bundlesOf, type LogSource } from '../../platform/tlog/source.ts';
import { equalBytes } from '../../proof/encoding/equal-bytes.ts';
import { bytesToHex } from '../../proof/encoding/hex.ts';
import type { Checkpoint } from '../../proof/log/checkpoint.ts';
import type { LogName } from '../../proof/log/log-names.ts';
import { Frontier, leafHash } from '../../proof/log/merkle.ts';
import { tilePath } from '../../proof/log/tiles.ts';
import type { LogCopy } from './copy.ts';
import { momentOf } from './keys/freshness.ts';

/** A signed checkpoint of a log. */
export interface SignedTree {
  note: string;
  checkpoint: Checkpoint;
  /** The Unix time of the signature in seconds; null when no signature has a time. */
  seconds: number | null;
}

/** Reports equivocation: the log has signed two inconsistent checkpoints; neither tree extends the other. */
export class EquivocationError extends Error {
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

/** Gets every new entry, and then `settled`, before the checkpoint of the copy advances. */
export interface EntryListener {
  entry(entry: Uint8Array, index: number): Promise<void>;
  settled(): void;
}

/** The result of `follow`: the number of new entries, or of leaves that the older checkpoint lacks. */
export type Followed = { newEntries: number } | { olderBy: number };

/**
 * Updates a copy to a signed checkpoint: fetches every new entry and compares the resulting tree with the
 * checkpoint. A smaller checkpoint that is consistent with the copy is an older one, for example from a
 * cache, unless it was signed later.
 *
 * @param copySeconds the Unix time in seconds at which the copy's checkpoint was signed; null when unknown
 * @throws Equivocation for a tree that contradicts the copy, and for a smaller one that was signed later
 * @throws Failure for a source whose entries do not match its checkpoint
 */
export async function follow(
  copy: LogCopy,
  source: LogSource,
  signed: SignedTree,
  copySeconds: number | null,
  listener: EntryListener,
): Promise<Followed> {
  const { checkpoint, note } = signed;
  const { size } = copy;
  const last = copy.last === null ? null : { ...copy.last, seconds: copySeconds };
  if (last !== null && checkpoint.size < size) {
    await mustBeOlder(copy, last, signed);
    return { olderBy: size - checkpoint.size };
  }
  if (last !== null && checkpoint.size === size && !equalBytes(checkpoint.root, last.checkpoint.root)) {
    throw new EquivocationError(copy.name, last, signed, `two trees of ${size} leaves have different roots`);
  }
  const tree = copy.growing();
  const isSame = checkpoint.size === size || (await grow(copy, source, tree, checkpoint.size, listener));
  if (!isSame || !equalBytes(tree.root(), checkpoint.root)) throw await explained(copy, source, signed, last);
  listener.settled();
  if (note !== last?.note && !isEarlier(signed, last)) await copy.storeCheckpoint(note, checkpoint, tree);
  return { newEntries: checkpoint.size - size };
}

/**
 * Returns whether a checkpoint of the same tree is older than the last one, so that it should not replace it.
 */
function isEarlier({ checkpoint, seconds }: SignedTree, last: SignedTree | null): boolean {
  if (last === null || checkpoint.size > last.checkpoint.size || last.seconds === null) return false;
  return seconds === null || seconds < last.seconds;
}

/**
 * Checks a smaller tree.
 * @throws Equivocation if it is inconsistent with the copy, or was signed after the copy's checkpoint
 */
async function mustBeOlder(copy: LogCopy, last: SignedTree, signed: SignedTree): Promise<void> {
  const { size, root } = signed.checkpoint;
  const shrunk = `the tree shrank from ${copy.size} leaves to ${size}`;
  const copyRoot = await copy.rootAt(size);
  if (!equalBytes(copyRoot, root)) {
    const reason = `${shrunk} and is inconsistent: the first ${size} leaves of the larger tree have the root ${bytesToHex(copyRoot)}`;
    throw new EquivocationError(copy.name, last, signed, reason);
  }
  if (signed.seconds === null || last.seconds === null || signed.seconds <= last.seconds) return;
  const reason = `${shrunk}: the log was rolled back, because the smaller tree was signed at ${momentOf(signed.seconds)}, after the larger one at ${momentOf(last.seconds)}`;
  throw new EquivocationError(copy.name, last, signed, reason);
}

/**
 * Fetches new entries, passes them to the listener and writes them.
 * @returns false when the source changed entries that the copy has
 */
async function grow(
  copy: LogCopy,
  source: LogSource,
  tree: GrowingTree,
  size: number,
  listener: EntryListener,
): Promise<boolean> {
  for await (const { start, path, bytes, entries } of bundlesOf(source, copy.name, tree.size, size)) {
    const known = tree.edge()[0] ?? [];
    // Copies the hashes, because the tree reuses its last tile when it is full.
    const knownHashes = start + known.length === tree.size ? [...known] : [];
    for (const [at, entry] of entries.entries()) {
      const hash = leafHash(nativePrimitives, entry);
      const before = knownHashes[at];
      if (before !== undefined) {
        if (!equalBytes(before, hash)) return false;
        continue;
      }
      const index = tree.size;
      for (const { level, index: tile, hashes } of tree.append(hash)) {
        await copy.write(tilePath(level, tile), Buffer.concat([...hashes]));
      }
      await listener.entry(entry, index);
    }
    await copy.write(path, bytes);
  }
  return true;
}

/**
 * Finds out why the entries do not match the checkpoint. If all entries that the source now has match it, the
 * log has forked; otherwise the source is damaged, and nothing is proven about the log.
 */
async function explained(
  copy: LogCopy,
  source: LogSource,
  signed: SignedTree,
  last: SignedTree | null,
): Promise<Error> {
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
    last !== null &&
    equalBytes(frontier.root(), checkpoint.root) &&
    former !== null &&
    !equalBytes(former, copy.root)
  ) {
    const reason = `the tree of ${checkpoint.size} leaves does not extend the tree of ${copy.size}: its first ${copy.size} leaves have the root ${bytesToHex(former)}`;
    return new EquivocationError(copy.name, last, signed, reason);
  }
  return new Failure(
    `${source.location}/${copy.name} gives entries that do not make the tree of its checkpoint (${checkpoint.size} leaves)`,
    'wait: the next check reads it again; the log or the connection may be damaged',
  );
}
