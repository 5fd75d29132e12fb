import { nativePrimitives } from '../../../../platform/crypto/crypto.ts';
import { Failure } from '../../../../platform/failure.ts';
import { RowMemory } from '../../../../platform/memory/row-memory.ts';
import { AccountHistory, type Fork } from '../../../../proof/account/account-history.ts';
import { accountLeafReader } from '../../../../proof/account/account-leaf.ts';
import type { LeafTimes } from '../../../../proof/account/kept-checkpoints.ts';
import type { AccountProblem } from '../../../../proof/account/problems.ts';
import type { ReceiptTable } from '../../../../proof/account/receipt-table.ts';
import { equalBytes } from '../../../../proof/encoding/equal-bytes.ts';
import { LogEntryError } from '../../../../proof/log/entry-members.ts';
import { leafHash } from '../../../../proof/log/merkle.ts';
import type { Predecessors } from '../../../../proof/log/predecessors.ts';
import { groupDigits } from '../../../../proof/words/group-digits.ts';
import { type AccountsLog, LogCursor } from './log-cursor.ts';

/** As for the log of revocations: reading this many takes hours. */
const MAX_ENTRIES = 100_000_000;
/** A log that contradicts itself more often is not worth comparing with a list. */
const PROBLEMS_MAX = 10_000;
/** Every receipt without a leaf is compared with all times in which the account was not linked. */
const INTERVALS_MAX = 10_000;

/** What the leaves of an account are read for. */
interface Question {
  account: string;
  /** The time in milliseconds from which on they are judged; null for all of them. */
  from: number | null;
  /** The closed logs that the newest log continues. */
  predecessors: Predecessors;
}

/**
 * Reads logs of accounts as a whole, and the leaves of one account in them: the closed ones, oldest first,
 * and the newest log, which continues them. Entries with which several logs begin are taken once. Where logs
 * go on with different entries, because some were lost, those of an older log are taken first, to its end.
 * The entries must hash to the roots of the checkpoints. Otherwise nothing is returned.
 *
 * @param progress is called with the number of entries read and their share, 0 to 1
 * @throws Failure for a log that cannot be read, or whose entries are not those of its checkpoints
 */
export async function readAccountLogs(
  { closed, newest }: { closed: readonly AccountsLog[]; newest: AccountsLog },
  { account, from, predecessors }: Question,
  table: ReceiptTable,
  progress: (count: number, share: number) => void,
): Promise<{ history: AccountHistory; problems: AccountProblem[] }> {
  const logs = [...closed, newest];
  for (const { size, source } of logs) {
    if (size > MAX_ENTRIES)
      throw new Failure(
        `the checkpoint of ${source.location}/accounts says that there are ${groupDigits(size)} entries, and at most ${groupDigits(MAX_ENTRIES)} are read`,
        'use another source of the log',
      );
  }
  const problems: AccountProblem[] = [];
  const report = (problem: AccountProblem): void => {
    if (problems.push(problem) > PROBLEMS_MAX)
      throw new Failure(
        `${newest.source.location}/accounts contradicts itself in more than ${groupDigits(PROBLEMS_MAX)} places, first: ${problems[0]?.detail}`,
        'show the log to those who rely on it: it proves nothing',
      );
  };
  const history = new AccountHistory(table, report, from);
  const cursors = logs.map((log) =>
    log === newest
      ? new LogCursor(log, (cursor) => predecessors.at(cursor.size, () => cursor.root()))
      : new LogCursor(log),
  );
  const readLeaf = accountLeafReader(account);
  const total = logs.reduce((sum, { size }) => sum + size, 0);
  const memory = new RowMemory();
  const read = (count: number): void => {
    if (history.intervals.length > INTERVALS_MAX)
      throw new Failure(
        `${newest.source.location}/accounts says that the account was unlinked more than ${groupDigits(INTERVALS_MAX)} times`,
        'nothing is proven about an account that is linked so briefly',
      );
    memory.used(count);
    const done = cursors.reduce((sum, { size }) => sum + size, 0);
    progress(done, done / total);
  };
  progress(0, 0);
  await readInOrder(cursors, { history, read, leafIn: (entry, where) => leafIn(entry, readLeaf, where) });
  for (const cursor of cursors) cursor.requireRoot();
  return { history, problems };
}

interface Reading {
  history: AccountHistory;
  leafIn: (entry: Uint8Array, where: string) => ReturnType<typeof leafIn>;
  /** Is called with the number of entries that were read. */
  read: (count: number) => void;
}

/** Logs that are equal so far, oldest first, and the place in their leaves. */
interface Branch {
  cursors: readonly LogCursor[];
  fork: Fork;
}

/**
 * Reads logs to their ends in the order in which their entries were written: a log was closed before the next
 * one got entries of its own. Several logs can continue an older one at different places.
 * @param cursors oldest first
 */
async function readInOrder(cursors: readonly LogCursor[], reading: Reading): Promise<void> {
  const { history } = reading;
  let here = history.fork();
  const waiting: Branch[] = [{ cursors, fork: here }];
  const ageOf = ({ cursors: [oldest] }: Branch): number =>
    oldest === undefined ? cursors.length : cursors.indexOf(oldest);
  for (;;) {
    waiting.sort((one, other) => ageOf(one) - ageOf(other));
    const next = waiting.shift();
    if (next === undefined) return;
    if (next.fork !== here) history.continueAt(next.fork);
    const { branches, younger } = await readOldest(next.cursors, reading);
    here = history.fork();
    waiting.push(...branches);
    if (younger.length > 0) waiting.push({ cursors: younger, fork: here });
  }
}

/**
 * Reads the oldest of some logs to its end, together with those that are equal to it.
 * @returns the logs that were equal to its end, and those that were not, with where they differ
 */
async function readOldest(
  all: readonly LogCursor[],
  reading: Reading,
): Promise<{ younger: readonly LogCursor[]; branches: Branch[] }> {
  const { history } = reading;
  const branches: Branch[] = [];
  let [oldest, ...younger] = all;
  while (oldest !== undefined && !oldest.isAtEnd) {
    for (const cursor of [oldest, ...younger]) await cursor.fill();
    const open = younger.filter(({ isAtEnd }) => !isAtEnd);
    const { entry: first } = oldest;
    const equal = open.filter(({ entry }) => equalBytes(entry, first));
    if (equal.length < younger.length) {
      const fork = history.fork();
      const others = younger.filter((cursor) => !equal.includes(cursor));
      branches.push(...branchesOf(others).map((cursors) => ({ cursors, fork })));
      // From here on each of them has its own sequences of agents.
      if (equal.length < open.length) history.continueAt(fork);
      younger = equal;
    }
    reading.read(takeEqual(oldest, younger, reading));
  }
  return { younger, branches };
}

/**
 * Takes entries that are available, up to one in which the logs differ. The first one is the same in all.
 * @returns how many
 */
function takeEqual(oldest: LogCursor, younger: readonly LogCursor[], { history, leafIn }: Reading): number {
  const all = [oldest, ...younger];
  const count = Math.min(...all.map(({ available }) => available));
  for (let taken = 0; taken < count; taken++) {
    const { entry } = oldest;
    if (taken > 0 && !younger.every((other) => equalBytes(other.entry, entry))) return taken;
    const leaf = leafIn(entry, oldest.where);
    if (leaf !== null) history.take(leaf, timesIn(oldest, younger));
    const hash = leafHash(nativePrimitives, entry);
    for (const cursor of all) cursor.advance(hash);
  }
  return count;
}

/**
 * Returns when the next entry was written, which all of the logs have. What a younger log did not have yet,
 * an older one can have had already.
 */
function timesIn(oldest: LogCursor, others: readonly LogCursor[]): LeafTimes {
  const { after, before } = oldest.times;
  if (others.length === 0) return { after, before };
  const known = [before, ...others.map(({ times }) => times.before)].filter((time) => time !== null);
  return { after, before: known.length === 0 ? null : Math.min(...known) };
}

/** Returns the logs with the same next entry together, and those that are at their ends. */
function branchesOf(cursors: readonly LogCursor[]): LogCursor[][] {
  const branches: LogCursor[][] = [];
  for (const cursor of cursors) {
    const known = branches.find(([first]) => first !== undefined && isSameNext(first, cursor));
    if (known === undefined) branches.push([cursor]);
    else known.push(cursor);
  }
  return branches;
}

function isSameNext(one: LogCursor, other: LogCursor): boolean {
  if (one.isAtEnd || other.isAtEnd) return one.isAtEnd && other.isAtEnd;
  return equalBytes(one.entry, other.entry);
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
