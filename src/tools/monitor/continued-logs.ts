import type { LogSource } from '../../platform/tlog/source.ts';
import { TileTree } from '../../platform/tlog/tile-tree.ts';
import { equalBytes } from '../../proof/encoding/equal-bytes.ts';
import { hexToBytes } from '../../proof/encoding/hex.ts';
import type { PublishedClosedLog } from '../../proof/log/log-chain.ts';
import { type LogName, originOf } from '../../proof/log/log-names.ts';
import type { EntryProblem } from './history/history.ts';

/**
 * How a log continues a closed one: with all of its entries (`whole`), or at least with those that are known
 * to have been published (`uncertain`); or without some of these (`lost`).
 */
export type Continuation = 'whole' | 'lost' | 'uncertain';

/**
 * Finds out how a log continues a closed one, from few tiles.
 * @param size of the log in the source, whose tiles were verified
 * @throws Failure for a tile that cannot be read
 */
export async function continuationOf(
  source: LogSource,
  size: number,
  {
    log,
    tree_size,
    root_hash,
    certain,
  }: Pick<PublishedClosedLog, 'log' | 'tree_size' | 'root_hash' | 'certain'>,
): Promise<Continuation> {
  if (tree_size > size) return 'lost';
  const { prefix } = await new TileTree(source, log, size).rootsAt(tree_size);
  if (!equalBytes(prefix, hexToBytes(root_hash))) return 'lost';
  return certain ? 'whole' : 'uncertain';
}

/**
 * Compares the logs of an installation with the closed ones that they continue. Entries that were published
 * and are gone can be a loss, as of a restored backup, or a lie: nobody can tell.
 *
 * @param closedLogs as the log of keys names them
 * @param sizes of the logs in the source, whose tiles were verified
 * @returns the problems of entries of the log of keys
 */
export async function continuationProblems(
  source: LogSource,
  common: string,
  closedLogs: readonly PublishedClosedLog[],
  sizes: Readonly<Partial<Record<LogName, number>>>,
): Promise<EntryProblem[]> {
  const problems: EntryProblem[] = [];
  for (const closed of closedLogs) {
    const size = sizes[closed.log];
    if (size === undefined) continue;
    if ((await continuationOf(source, size, closed)) !== 'lost') continue;
    const { origin, tree_size, log_index: index } = closed;
    const own = originOf(common, closed.log);
    const entries = tree_size === 1 ? 'entry' : 'entries';
    const what = `${own} does not begin with the ${tree_size} ${entries} of ${origin}, which it continues: entries that were published are lost, as by a restored backup, or were left out`;
    problems.push({ index, what });
  }
  return problems;
}
