import { journalHeads, journalTile, journalTree } from '../../../../../db/trust/heads.ts';
import { accountLeaf } from '../../../../../db/trust/linked.ts';
import { wrongRows } from '../../../../platform/audit/counts.ts';
import { orNull, sqlOf } from '../../../../platform/store/sql.ts';

const sql = sqlOf({ accountLeaf, journalHeads, journalTile, journalTree });

/** Returns the completed trees above `after`, in the order of their days. */
export const completeTrees = sql.joined({
  treeSeq: journalTree.treeSeq,
  saltKey: journalTree.saltKey,
  rounds: sql.text`rounds`,
  leafSeq: orNull(journalTree.leafSeq),
  accounts: orNull(accountLeaf.accounts),
  root: orNull(accountLeaf.root),
}).rows`FROM journal_tree LEFT JOIN account_leaf ON account_leaf.leaf_seq = journal_tree.leaf_seq
  WHERE tree_seq > ${'after:journalTree.treeSeq'} AND rounds IS NOT NULL ORDER BY tree_seq LIMIT ${'limit'}`;

/** Returns a row of heads; null for none. */
export const headsAt = sql.row(journalHeads)`
  WHERE tree_seq = ${'treeSeq'} AND round = ${'round'} AND first_account = ${'firstAccount'}`;

/** Returns a tile; null for none. */
export const tileAt = sql.row(journalTile)`
  WHERE tree_seq = ${'treeSeq'} AND level = ${'level'} AND tile_index = ${'tileIndex'}`;

/** Returns how many rows of heads and how many tiles a tree has. */
export const countHeads = sql.value(sql.number`count(*)`)`FROM journal_heads
  WHERE tree_seq = ${'treeSeq:journalHeads.treeSeq'}`;
export const countTiles = sql.value(sql.number`count(*)`)`FROM journal_tile
  WHERE tree_seq = ${'treeSeq:journalTile.treeSeq'}`;

/** Deletes all rows, so that the repair makes them again. Those of an unfinished tree are deleted anyway. */
export const deleteAllHeads = sql.run`DELETE FROM journal_heads`;
export const deleteAllTiles = sql.run`DELETE FROM journal_tile`;
export const insertHeads = sql.insert(journalHeads, { without: ['headsSeq'] });
export const insertTile = sql.insert(journalTile, { without: ['tileSeq'] });

/** A leaf that was not recovered from a copy has its tree. */
export const withoutTree = wrongRows(
  'account_leaf',
  'there is no tree of its heads of journals',
  sql.reported()`SELECT l.leaf_seq, 'a journal_tree' AS expected, NULL AS found
    FROM account_leaf l LEFT JOIN journal_tree t ON t.leaf_seq = l.leaf_seq
    WHERE l.date IS NOT NULL AND l.recovered = 0 AND t.tree_seq IS NULL LIMIT 100`,
);

/** Rows of a tree that does not exist. */
export const withoutOwner = ['journal_heads', 'journal_tile'].map((table) =>
  wrongRows(
    table,
    'there is no journal_tree with its tree_seq',
    sql.reported()`SELECT r.tree_seq, 'a journal_tree' AS expected, NULL AS found
      FROM ${sql.verbatim(table)} r LEFT JOIN journal_tree t ON t.tree_seq = r.tree_seq
      WHERE t.tree_seq IS NULL LIMIT 100`,
  ),
);
