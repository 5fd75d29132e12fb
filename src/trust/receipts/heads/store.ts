import { journalHeads, journalTile, journalTree } from '../../../../db/trust/heads.ts';
import { accountLeaf } from '../../../../db/trust/linked.ts';
import { orNull, sqlOf } from '../../../platform/store/sql.ts';
import { runQuery, type Snapshot, type Transaction } from '../../../platform/store/transaction.ts';
import type { TreePart } from './heads.ts';

const sql = sqlOf({ accountLeaf, journalHeads, journalTile, journalTree });

/** A tree of journal heads with its leaf in the log of accounts. */
export interface LinkedTree {
  treeSeq: number;
  saltKey: Uint8Array;
  leafSeq: number;
  date: string;
  /** The number of its leaves. */
  accounts: number;
  root: string;
  /** The number of the newest movement of each round. */
  rounds: number[];
}

const treesDownFrom = sql.joined({
  leafSeq: accountLeaf.leafSeq,
  date: sql.text`date`,
  accounts: sql.number`accounts`,
  root: sql.like(accountLeaf.root)`root`,
  tree: orNull({ treeSeq: journalTree.treeSeq, saltKey: journalTree.saltKey, rounds: journalTree.rounds }),
}).rows`FROM account_leaf LEFT JOIN journal_tree ON journal_tree.leaf_seq = account_leaf.leaf_seq
  WHERE date IS NOT NULL AND date <= ${'date:text'} ORDER BY date DESC LIMIT ${'limit'}`;

/** Returns the rounds of a tree. */
export function roundsIn(text: string): number[] {
  const rounds: unknown = JSON.parse(text);
  return Array.isArray(rounds) ? rounds.map(Number) : [];
}

/** The newest trees of days up to a date, newest first. */
export interface TreesUpTo {
  trees: LinkedTree[];
  /** The day after them whose leaf has no tree, because it is from a copy of the log; null for none. */
  lost: string | null;
}

/** Returns the newest trees of days up to a date: up to `limit`, and none from before a lost one. */
export async function treesUpTo(snapshot: Snapshot, date: string, limit: number): Promise<TreesUpTo> {
  const trees: LinkedTree[] = [];
  for (const { tree, root, ...leaf } of await treesDownFrom(snapshot, { date, limit })) {
    if (tree === null) return { trees, lost: leaf.date };
    const { rounds, ...row } = tree;
    trees.push({ ...leaf, ...row, root: root ?? '', rounds: roundsIn(rounds ?? '[]') });
  }
  return { trees, lost: null };
}

/** Begins a tree. @returns its tree_seq */
export const insertTree = sql.insertReturning(journalTree, ['treeSeq'], {
  without: ['treeSeq', 'leafSeq', 'rounds'],
});

/** Completes a tree, which never changes from now on. */
export const linkTree = sql.update(journalTree, ['leafSeq', 'rounds'])`WHERE tree_seq = ${'treeSeq'}`;

const insertHeads = sql.insert(journalHeads, { without: ['headsSeq'] });
const insertTile = sql.insert(journalTile, { without: ['tileSeq'] });

/** Stores rows of a tree that is being built. */
export function insertPart(tx: Transaction, treeSeq: number, { heads, tiles }: TreePart): Promise<void> {
  return runQuery(tx, (connection) => {
    for (const part of heads) insertHeads.on(connection, { treeSeq, ...part });
    for (const tile of tiles) insertTile.on(connection, { treeSeq, ...tile });
  });
}

/** Returns a tree that a killed process did not complete; null for none. */
export const unfinishedTree = sql.value(journalTree.treeSeq, { scans: 'there is one tree a day' })`
  WHERE rounds IS NULL LIMIT 1`;

const deleteHeads = sql.run`DELETE FROM journal_heads WHERE heads_seq IN (
  SELECT heads_seq FROM journal_heads WHERE tree_seq = ${'treeSeq:journalHeads.treeSeq'} LIMIT ${'limit'})`;
const deleteTiles = sql.run`DELETE FROM journal_tile WHERE tile_seq IN (
  SELECT tile_seq FROM journal_tile WHERE tree_seq = ${'treeSeq:journalTile.treeSeq'} LIMIT ${'limit'})`;
const deleteTreeRow = sql.run`DELETE FROM journal_tree WHERE tree_seq = ${'treeSeq:journalTree.treeSeq'}`;

/** Deletes up to `limit` rows of an unfinished tree, and the tree after them. @returns whether it is gone */
export function deleteTree(tx: Transaction, treeSeq: number, limit: number): Promise<boolean> {
  return runQuery(tx, (connection) => {
    if (deleteHeads.on(connection, { treeSeq, limit }) > 0) return false;
    if (deleteTiles.on(connection, { treeSeq, limit }) > 0) return false;
    deleteTreeRow.on(connection, treeSeq);
    return true;
  });
}

const rowBefore = sql.joined({ firstLeaf: journalHeads.firstLeaf, heads: journalHeads.heads }).row`
  FROM journal_heads WHERE tree_seq = ${'treeSeq:journalHeads.treeSeq'} AND round = ${'round'}
    AND first_account <= ${'firstAccount'} ORDER BY first_account DESC LIMIT 1`;

/** A row of heads. */
export type HeadsRow = NonNullable<Awaited<ReturnType<typeof rowBefore>>>;

/**
 * Returns the first match of `find` in the rows that can have the head of an account: of each tree the one of
 * its last round first.
 */
export function findInTrees<T>(
  snapshot: Snapshot,
  trees: readonly LinkedTree[],
  account: number,
  find: (row: HeadsRow, tree: LinkedTree) => T | null,
): Promise<T | null> {
  return runQuery(snapshot, (connection) => {
    for (const tree of trees) {
      for (let round = tree.rounds.length - 1; round >= 0; round--) {
        const row = rowBefore.on(connection, { treeSeq: tree.treeSeq, round, firstAccount: account });
        const found = row === null ? null : find(row, tree);
        if (found !== null) return found;
      }
    }
    return null;
  });
}

const tileAt = sql.value(journalTile.hashes)`WHERE tree_seq = ${'treeSeq'} AND level = ${'level'}
  AND tile_index = ${'tileIndex'}`;

/** Returns the hashes of tiles, in their order; null for a missing one. */
export function tilesAt(
  snapshot: Snapshot,
  treeSeq: number,
  positions: readonly { level: number; tileIndex: number }[],
): Promise<(Uint8Array | null)[]> {
  return runQuery(snapshot, (connection) =>
    positions.map((position) => tileAt.on(connection, { treeSeq, ...position })),
  );
}

const newestRounds = sql.value(sql.text`rounds`, { scans: 'at most one tree has none' })`
  FROM journal_tree WHERE rounds IS NOT NULL
  ORDER BY tree_seq DESC LIMIT 1`;

/** Returns the number of the newest movement that was recorded; 0 before the first tree. */
export async function newestCovered(snapshot: Snapshot): Promise<number> {
  const rounds = await newestRounds(snapshot);
  return rounds === null ? 0 : (roundsIn(rounds).at(-1) ?? 0);
}
