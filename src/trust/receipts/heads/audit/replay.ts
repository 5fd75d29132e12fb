import type { Snapshot } from '../../../../platform/store/transaction.ts';
import {
  type JournalEnd,
  type JournalKey,
  journalEntries,
  journalNames,
} from '../../../ledger/journal-ends.ts';
import { HeadTree } from '../head-tree.ts';
import { headParts, type TreePart } from '../heads.ts';
import { roundsIn } from '../store.ts';
import { completeTrees } from './store.ts';

/** A stored tree, as its leaf and its row say. */
export type StoredTree = Awaited<ReturnType<typeof completeTrees>>[number];

/** A tree that is made again from the movements. */
export interface ReplayedTree {
  stored: StoredTree;
  /** The rows that it must have. All are to be read before the next tree. */
  parts: AsyncIterable<TreePart>;
  /** The tree, once all parts were read. */
  tree: HeadTree;
}

const PAGE = 2048;
const TREES = 64;

/** Makes all trees again from the movements, in the order of their days. */
export async function* replayedTrees(snapshot: Snapshot): AsyncGenerator<ReplayedTree> {
  const counts = new Map<JournalKey, number>();
  let covered = 0;
  let after = 0;
  for (;;) {
    const page = await completeTrees(snapshot, { after, limit: TREES });
    for (const stored of page) {
      after = stored.treeSeq;
      const rounds = roundsIn(stored.rounds);
      const tree = new HeadTree();
      yield { stored, tree, parts: partsOf(snapshot, { stored, rounds, covered, tree, counts }) };
      covered = rounds.at(-1) ?? covered;
    }
    if (page.length < TREES) return;
  }
}

interface Making {
  stored: StoredTree;
  rounds: readonly number[];
  covered: number;
  tree: HeadTree;
  /** The number of entries of each journal so far. */
  counts: Map<JournalKey, number>;
}

async function* partsOf(
  snapshot: Snapshot,
  { stored: { saltKey }, rounds, covered, tree, counts }: Making,
): AsyncGenerator<TreePart> {
  let after = covered;
  for (const [round, reach] of rounds.entries()) {
    yield* headParts(endsBetween(snapshot, { after, reach, counts }), tree, { round, saltKey });
    after = reach;
  }
  yield { heads: [], tiles: tree.openTiles() };
}

/** Yields the ends that the journals had after a movement, of those that grew since another. */
async function* endsBetween(
  snapshot: Snapshot,
  { after, reach, counts }: { after: number; reach: number; counts: Map<JournalKey, number> },
): AsyncGenerator<JournalEnd[]> {
  const heads = new Map<JournalKey, Uint8Array>();
  for await (const entries of journalEntries(snapshot, after, reach)) {
    for (const { key, hash } of entries) {
      heads.set(key, hash);
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
  }
  const keys = Float64Array.from(heads.keys()).sort();
  for (let from = 0; from < keys.length; from += PAGE) {
    const page = [...keys.subarray(from, from + PAGE)];
    const names = await journalNames(snapshot, page);
    yield page.flatMap((key) => {
      const [account, head] = [names.get(key), heads.get(key)];
      if (account === undefined || head === undefined) return [];
      return { key, account, entries: counts.get(key) ?? 0, head };
    });
  }
}
