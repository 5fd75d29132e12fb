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

/** A checkpoint that a log has signed. */
export interface SignedTree {
  note: string;
  checkpoint: Checkpoint;
  /** When, in seconds since 1970; null where no signature states it. */
  seconds: number | null;
}

/** A log has told two stories: two checkpoints, both signed by it, of which one tree is not the beginning of the other. */
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

/** What hears of every new entry, and that all were listener, before the copy goes on past them. */
export interface EntryListener {
  entry(entry: Uint8Array, index: number): Promise<void> | void;
  settled(): void;
}

/** What came of following: so many new entries, or a checkpoint that is older than the copy's. */
export type Followed = { newEntries: number } | { olderBy: number };

/**
 * Brings a copy up to a signed checkpoint: every new entry is fetched, and the tree that they make must be the checkpoint's. A
 * smaller tree that the copy's begins with is an older one, which a cache may give, unless it was signed later.
 *
 * @param heldSeconds when the copy's own checkpoint was signed
 * @throws Equivocation for a tree that is other, or does not begin with the copy's, and for one that is smaller and came later
 * @throws Failure for a source that does not give what its checkpoint is of
 */
export async function follow(
  copy: LogCopy,
  source: LogSource,
  signed: SignedTree,
  heldSeconds: number | null,
  listener: EntryListener,
): Promise<Followed> {
  const { checkpoint, note } = signed;
  const { size } = copy;
  const last = copy.last === null ? null : { ...copy.last, seconds: heldSeconds };
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
  if (note !== last?.note && !isEarlier(signed, last)) await copy.hold(note, checkpoint, tree);
  return { newEntries: checkpoint.size - size };
}

/** Of two checkpoints of one tree, the later says more. */
function isEarlier({ checkpoint, seconds }: SignedTree, last: SignedTree | null): boolean {
  if (last === null || checkpoint.size > last.checkpoint.size || last.seconds === null) return false;
  return seconds === null || seconds < last.seconds;
}

/** @throws Equivocation for a smaller tree that is not the beginning of the copy's, or was signed after it */
async function mustBeOlder(copy: LogCopy, last: SignedTree, signed: SignedTree): Promise<void> {
  const { size, root } = signed.checkpoint;
  const shrunk = `the tree has shrunk from ${copy.size} leaves to ${size}`;
  const own = await copy.rootAt(size);
  if (!equalBytes(own, root)) {
    const reason = `${shrunk}, and is not the beginning of the other: the first ${size} of its leaves have the root ${bytesToHex(own)}`;
    throw new EquivocationError(copy.name, last, signed, reason);
  }
  if (signed.seconds === null || last.seconds === null || signed.seconds <= last.seconds) return;
  const reason = `${shrunk}: the log was rolled back, since the smaller one was signed at ${momentOf(signed.seconds)}, after the larger one at ${momentOf(last.seconds)}`;
  throw new EquivocationError(copy.name, last, signed, reason);
}

/** Fetches, hears and writes what is new. @returns false when what is there already is told otherwise now */
async function grow(
  copy: LogCopy,
  source: LogSource,
  tree: GrowingTree,
  size: number,
  listener: EntryListener,
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
      await listener.entry(entry, index);
    }
    await copy.write(path, bytes);
  }
  return true;
}

/**
 * Why the entries do not make the checkpoint's tree. Where the whole of what is given now does, the log has forked; else nothing
 * is shown but that the source does not give what was signed.
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
    const reason = `the tree of ${checkpoint.size} leaves does not begin with that of ${copy.size}: its first ${copy.size} leaves have the root ${bytesToHex(former)}`;
    return new EquivocationError(copy.name, last, signed, reason);
  }
  return new Failure(
    `${source.location}/${copy.name} gives entries that do not make the tree of its checkpoint (${checkpoint.size} leaves)`,
    'wait: the next check reads it again; the log or the connection may be damaged',
  );
}
