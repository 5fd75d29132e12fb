import { randomBytes } from 'node:crypto';
import type { Store } from '../../../platform/store/store.ts';
import type { Snapshot, Transaction } from '../../../platform/store/transaction.ts';
import type { Clock } from '../../../platform/time/clock.ts';
import type { ClockWatch } from '../../../platform/time/clock-watch.ts';
import { timestampOf } from '../../../platform/time/timestamp.ts';
import { DAY_MS } from '../../../platform/time/units.ts';
import { bytesToHex } from '../../../proof/encoding/hex.ts';
import { endOfDay } from '../../../proof/log/journal-heads-entry.ts';
import { firstMovedAfter, journalEndsSince, newestMovement } from '../../ledger/journal-ends.ts';
import { issueTime } from '../../log/clock/dates.ts';
import type { TrustLog } from '../../log/lifecycle/open.ts';
import { appendHeadsIn } from '../linked/log/leaves.ts';
import { newestHeadsDay } from '../linked/newest-heads.ts';
import { HeadTree, type TreeEdge } from './head-tree.ts';
import { headParts } from './heads.ts';
import { deleteTree, insertPart, insertTree, linkTree, newestCovered, unfinishedTree } from './store.ts';
import { TreeBuilder } from './tree-builder.ts';

/** The parts of the service that recording the heads of journals uses. */
export type RecordHeadsContext = {
  store: Store;
  clock: Clock;
  clockWatch: ClockWatch;
  log: TrustLog;
  /** The file of the database. */
  databaseFile: string;
};

const SALT_KEY_BYTES = 32;
/** The movements that the transaction of the leaf may add: some milliseconds. */
const LAST_MOVEMENTS = 256;
/** Each round takes the movements of the one before it, so the third is short already. */
const MAX_ROUNDS = 100;
/** The rows that a transaction deletes of a tree that was not completed. */
const DELETED_ROWS = 64;

/**
 * Appends the leaf of the newest day that has ended, with the root over the heads of all journals that grew
 * since the last one, unless that day has one or nothing moved in it. A Worker builds the tree; the
 * transaction of the leaf adds what was moved meanwhile, so that the tree covers all movements before it.
 */
export async function recordHeads(context: RecordHeadsContext): Promise<void> {
  const { store, clock, databaseFile: file } = context;
  const due = await store.read((snapshot) => dueIn(snapshot, clock.now()));
  if (due === null) return;
  await deleteUnfinished(store);
  const saltKey = randomBytes(SALT_KEY_BYTES);
  const { treeSeq } = await store.writeAsService((tx) => insertTree(tx, { saltKey }));
  const builder = new TreeBuilder();
  try {
    const rounds: number[] = [];
    let state: Built = { after: due.after, edge: { size: 0, open: [] } };
    while (rounds.length < MAX_ROUNDS) {
      const { after, edge } = state;
      const order = { file, after, edge, saltKey, round: rounds.length };
      const built = await builder.round(order, (part) =>
        store.writeAsService((tx) => insertPart(tx, treeSeq, part)),
      );
      rounds.push(built.reach);
      state = { after: built.reach, edge: built.edge };
      const tree = { treeSeq, saltKey, rounds, ...state };
      if (await store.writeAsService((tx) => completeIn(tx, context, tree))) return;
    }
    throw new Error(`the heads of journals are not recorded after ${MAX_ROUNDS} rounds`);
  } finally {
    builder.close();
  }
}

/** Returns when the leaf of the day is due whose movements have none; null if nothing moved. */
export function nextHeadsOf({ store }: { store: Store }, after: number): Promise<number | null> {
  return store.read(async (snapshot) => {
    const moved = await firstMovedAfter(snapshot, await newestCovered(snapshot));
    if (moved === null) return null;
    const newest = await newestHeadsDay(snapshot);
    const free = newest === null ? 0 : Date.parse(endOfDay(newest)) + DAY_MS;
    const due = Math.max(free, startOfDay(moved) + DAY_MS);
    return due > after ? due : null;
  });
}

interface Built {
  /** The number of the newest movement that the tree has. */
  after: number;
  edge: TreeEdge;
}

const startOfDay = (time: number): number => Math.floor(time / DAY_MS) * DAY_MS;

/** Returns the newest day that has ended. @param now milliseconds since 1970 */
export const lastDay = (now: number): string =>
  timestampOf(startOfDay(now) - DAY_MS).slice(0, 'YYYY-MM-DD'.length);

/** Returns the newest movement that a leaf covers, if another leaf is due; null if none is. */
async function dueIn(snapshot: Snapshot, now: number): Promise<{ after: number } | null> {
  const newest = await newestHeadsDay(snapshot);
  if (newest !== null && newest >= lastDay(now)) return null;
  const after = await newestCovered(snapshot);
  const moved = await firstMovedAfter(snapshot, after);
  return moved === null || moved >= startOfDay(now) ? null : { after };
}

/** Deletes what a killed process left of a tree. */
async function deleteUnfinished(store: Store): Promise<void> {
  for (;;) {
    const treeSeq = await store.read(unfinishedTree);
    if (treeSeq === null) return;
    await store.writeAsService((tx) => deleteTree(tx, treeSeq, DELETED_ROWS));
  }
}

/**
 * Adds the heads of what was moved since the last round, and appends the leaf.
 * @returns false if too much was moved, so that another round must come first
 */
async function completeIn(
  tx: Transaction,
  context: RecordHeadsContext,
  {
    treeSeq,
    saltKey,
    rounds,
    after,
    edge,
  }: Built & { treeSeq: number; saltKey: Uint8Array; rounds: number[] },
): Promise<boolean> {
  const reach = await newestMovement(tx);
  if (reach - after > LAST_MOVEMENTS) return false;
  const now = issueTime(context);
  const date = lastDay(now);
  const newest = await newestHeadsDay(tx);
  const isFree = newest === null || newest < date;
  // The body may run again.
  const tree = new HeadTree(edge);
  if (isFree)
    for await (const part of headParts(journalEndsSince(tx, after), tree, { round: rounds.length, saltKey }))
      await insertPart(tx, treeSeq, part);
  // The clock was set back meanwhile. The next run deletes what was built.
  if (!isFree) return true;
  const complete = (leafSeq: number | null) =>
    linkTree(tx, { treeSeq, leafSeq, rounds: JSON.stringify([...rounds, reach]) });
  if (tree.size === 0) {
    await complete(null);
    return true;
  }
  await insertPart(tx, treeSeq, { heads: [], tiles: tree.openTiles() });
  const at = timestampOf(now);
  const entry = { date, accounts: tree.size, root: bytesToHex(tree.root()) };
  const { log } = context;
  await complete(await appendHeadsIn(tx, log.open.accounts, entry, { at, recovered: false }));
  tx.afterCommit(() => log.publisher.grown('accounts', at));
  return true;
}
