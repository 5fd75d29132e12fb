import { nativePrimitives } from '../../../../platform/crypto/crypto.ts';
import { Failure } from '../../../../platform/failure.ts';
import { RowMemory } from '../../../../platform/memory/row-memory.ts';
import { groupDigits } from '../../../../platform/terminal/progress.ts';
import { bundlesOf, type LogSource } from '../../../../platform/tlog/source.ts';
import { type AccountsCheckpoint, forkAt } from '../../../../proof/account/account-checkpoint.ts';
import { AccountHistory } from '../../../../proof/account/account-history.ts';
import { accountLeafReader } from '../../../../proof/account/account-leaf.ts';
import type { KeptCheckpoint, KeptCheckpoints } from '../../../../proof/account/kept-checkpoints.ts';
import type { Predecessors } from '../../../../proof/account/predecessors.ts';
import type { AccountProblem } from '../../../../proof/account/problems.ts';
import type { ReceiptTable } from '../../../../proof/account/receipt-table.ts';
import { equalBytes } from '../../../../proof/encoding/equal-bytes.ts';
import { LogEntryError } from '../../../../proof/log/entry-members.ts';
import { Frontier, leafHash } from '../../../../proof/log/merkle.ts';

/** As for the log of revocations: reading this many takes hours. */
const MAX_ENTRIES = 100_000_000;
/** Bundles that are requested together, for logs that are far away. */
const AHEAD = 8;
/** A log that contradicts itself more often is not worth comparing with a list. */
const PROBLEMS_MAX = 10_000;
/** Every receipt without a leaf is compared with all times in which the account was not linked. */
const INTERVALS_MAX = 10_000;

/**
 * Reads the whole log of accounts, and the leaves of one account in it. The entries must hash to the root of
 * the newest checkpoint, and to those of the kept ones. Otherwise nothing is returned.
 *
 * @param stored the number of entries that the source has; the last bundle has as many. Those beyond the
 * newest checkpoint are not read
 * @param predecessors the closed logs that the log continues
 * @param progress is called with the number of entries read and their share, 0 to 1
 * @throws Failure for a log that cannot be read, or whose entries are not those of its checkpoints
 */
export async function readAccountLog(
  source: LogSource,
  {
    account,
    newest,
    keptCheckpoints,
    stored,
    predecessors,
  }: {
    account: string;
    newest: AccountsCheckpoint;
    keptCheckpoints: KeptCheckpoints;
    stored: number;
    predecessors: Predecessors;
  },
  table: ReceiptTable,
  progress: (count: number, share: number) => void,
): Promise<{ history: AccountHistory; problems: AccountProblem[] }> {
  const { size, root } = newest;
  const where = `${source.location}/accounts`;
  if (size > MAX_ENTRIES)
    throw new Failure(
      `the checkpoint of ${where} says that there are ${groupDigits(size)} entries, and at most ${groupDigits(MAX_ENTRIES)} are read`,
      'use another source of the log',
    );
  const problems: AccountProblem[] = [];
  const history = new AccountHistory(table, (problem) => {
    if (problems.push(problem) > PROBLEMS_MAX)
      throw new Failure(
        `${where} contradicts itself in more than ${groupDigits(PROBLEMS_MAX)} places, first: ${problems[0]?.detail}`,
        'show the log to those who rely on it: it proves nothing',
      );
  });
  const readLeaf = accountLeafReader(account);
  const frontier = new Frontier(nativePrimitives);
  const roots = rootsOf(keptCheckpoints.all.filter((checkpoint) => checkpoint !== newest));
  const memory = new RowMemory();
  progress(0, 0);
  for await (const bundle of bundlesOf(source, 'accounts', 0, Math.max(size, stored), AHEAD)) {
    if (bundle.start >= size) break;
    const entries = bundle.entries.slice(0, size - bundle.start);
    for (const entry of entries) {
      const index = frontier.size;
      frontier.append(leafHash(nativePrimitives, entry));
      for (const other of roots(frontier.size)) {
        if (!equalBytes(frontier.root(), other.root))
          throw new Failure(`${where}: ${forkAt(other)}`, WRONG_COPY);
      }
      predecessors.at(frontier.size, () => frontier.root());
      const leaf = leafIn(entry, readLeaf, where);
      if (leaf !== null) history.take(leaf, keptCheckpoints.timesOf(index));
    }
    if (history.intervals.length > INTERVALS_MAX)
      throw new Failure(
        `${where} says that the account was unlinked more than ${groupDigits(INTERVALS_MAX)} times`,
        'nothing is proven about an account that is linked so briefly',
      );
    memory.used(entries.length);
    progress(frontier.size, frontier.size / size);
  }
  if (!equalBytes(frontier.root(), root))
    throw new Failure(`the entries in ${where} do not hash to the root of its checkpoint`, WRONG_COPY);
  return { history, problems: [...problems, ...predecessors.problems(newest.log)] };
}

const WRONG_COPY = 'use another copy: this one is damaged or was changed';

/** Returns a function that yields the checkpoints of a size. Call it with ascending sizes. */
function rootsOf(checkpoints: readonly KeptCheckpoint[]): (size: number) => Generator<KeptCheckpoint> {
  let next = 0;
  return function* (size) {
    for (
      let checkpoint = checkpoints[next];
      checkpoint !== undefined && checkpoint.size <= size;
      checkpoint = checkpoints[++next]
    )
      if (checkpoint.size === size) yield checkpoint;
  };
}

function leafIn(entry: Uint8Array, read: ReturnType<typeof accountLeafReader>, where: string) {
  try {
    return read(entry);
  } catch (error) {
    if (!(error instanceof LogEntryError)) throw error;
    throw new Failure(
      `${where} has an entry of the account that is not a leaf: ${error.message}`,
      'nothing is proven',
    );
  }
}
