import { withoutTriggers } from '../../../../platform/audit/derived.ts';
import type { Derived } from '../../../../platform/audit/table.ts';
import { type Snapshot, snapshotOf } from '../../../../platform/store/transaction.ts';
import { equalBytes } from '../../../../proof/encoding/equal-bytes.ts';
import { bytesToHex } from '../../../../proof/encoding/hex.ts';
import type { Problem } from '../../../../proof/log/problem.ts';
import type { TreePart } from '../heads.ts';
import { replayedTrees } from './replay.ts';
import {
  countHeads,
  countTiles,
  deleteAllHeads,
  deleteAllTiles,
  headsAt,
  insertHeads,
  insertTile,
  tileAt,
} from './store.ts';

/** The tables that follow from the movements, and from the salts and rounds of the trees. */
type TreeTable = 'journal_heads' | 'journal_tile';

/** More problems than these of a table say nothing new. */
const PROBLEMS_MAX = 100;

/**
 * Compares all trees of journal heads with the movements: their rows with those that the movements give, and
 * their roots with those of the leaves.
 */
export async function treeProblems(snapshot: Snapshot): Promise<Problem[]> {
  const problems: Problem[] = [];
  for await (const { stored, parts, tree } of replayedTrees(snapshot)) {
    const { treeSeq, accounts, root } = stored;
    const counts = { heads: 0, tiles: 0 };
    for await (const part of parts) {
      counts.heads += part.heads.length;
      counts.tiles += part.tiles.length;
      problems.push(...(await partProblems(snapshot, treeSeq, part)));
    }
    const row = { tree_seq: treeSeq };
    const found = { heads: await countHeads(snapshot, treeSeq), tiles: await countTiles(snapshot, treeSeq) };
    const more = 'its tree has more rows than its heads need';
    if ((found.heads ?? 0) > counts.heads) problems.push({ table: 'journal_heads', row, what: more });
    if ((found.tiles ?? 0) > counts.tiles) problems.push({ table: 'journal_tile', row, what: more });
    const isEmpty = stored.leafSeq === null;
    const expected = isEmpty ? null : bytesToHex(tree.root());
    if (isEmpty ? tree.size > 0 : expected !== root || accounts !== tree.size) {
      const what = isEmpty ? 'it has heads and no leaf' : 'its leaf has not its root and number of heads';
      const values = { expected: `${tree.size} ${expected}`, found: `${accounts} ${root}` };
      problems.push({ table: 'journal_tree', row, what, ...values });
    }
    if (problems.length > PROBLEMS_MAX) break;
  }
  return problems;
}

async function partProblems(
  snapshot: Snapshot,
  treeSeq: number,
  { heads, tiles }: TreePart,
): Promise<Problem[]> {
  const problems: Problem[] = [];
  for (const { round, firstAccount, firstLeaf, heads: expected } of heads) {
    const found = await headsAt(snapshot, { treeSeq, round, firstAccount });
    const row = { tree_seq: treeSeq, round, first_account: firstAccount };
    if (found === null) problems.push({ table: 'journal_heads', row, what: 'it is missing' });
    else if (found.firstLeaf !== firstLeaf || !equalBytes(found.heads, expected))
      problems.push({ table: 'journal_heads', row, what: 'its heads are not those of the journals' });
  }
  for (const { level, tileIndex, hashes } of tiles) {
    const found = await tileAt(snapshot, { treeSeq, level, tileIndex });
    const row = { tree_seq: treeSeq, level, tile_index: tileIndex };
    if (found === null) problems.push({ table: 'journal_tile', row, what: 'it is missing' });
    else if (!equalBytes(found.hashes, hashes))
      problems.push({ table: 'journal_tile', row, what: 'its hashes are not those of the heads' });
  }
  return problems;
}

/** Declares that the rows of a table of trees follow from the movements. */
function derivedTable(table: TreeTable): Derived {
  return {
    table,
    check: async (snapshot) => (await treeProblems(snapshot)).filter((problem) => problem.table === table),
    explains: (problem) => problem.table === table,
    sources: () => ['agent', 'journal_opening', 'journal_tree', 'movement', 'operator'],
    rebuild: (connection) =>
      withoutTriggers(connection, table, async () => {
        const snapshot = snapshotOf(connection);
        await (table === 'journal_heads' ? deleteAllHeads(snapshot) : deleteAllTiles(snapshot));
        for await (const { stored, parts } of replayedTrees(snapshot)) {
          const { treeSeq } = stored;
          for await (const { heads, tiles } of parts) {
            if (table === 'journal_heads')
              for (const part of heads) await insertHeads(snapshot, { treeSeq, ...part });
            else for (const tile of tiles) await insertTile(snapshot, { treeSeq, ...tile });
          }
        }
      }),
  };
}

/** What of the trees `fsck --repair` makes again. */
export const derivedTrees = [derivedTable('journal_heads'), derivedTable('journal_tile')];
