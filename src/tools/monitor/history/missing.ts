import { AHEAD_MS } from '../../../proof/encoding/timestamp.ts';
import {
  type AccountEntry,
  readAccountEntry,
  readAnyRevocationEntry,
  readReceiptEntry,
} from '../../../proof/log/log-entry.ts';
import type { LogName } from '../../../proof/log/log-names.ts';
import { REFRESH_MS } from '../../../proof/log/retention.ts';
import { linkedSince } from './accounts.ts';
import { otherHash } from './acts.ts';
import { ACT_OF, type Awaited, type EntryLog, type Settled } from './awaited.ts';
import type { EntryReader } from './entry-reader.ts';
import type { ChainHead } from './store.ts';

/**
 * How much younger than an act the checkpoint of the other log is that must have it. Logs are published and
 * read one after the other. A service whose clock was set back dates an act like the oldest of its newest
 * checkpoints, of which each log has one every ten minutes.
 */
export const MUST_HAVE_MS = REFRESH_MS + 2 * AHEAD_MS;

/** A problem of an entry of one of the logs. */
export interface LogProblem {
  log: LogName;
  /** The index of the entry in its log. */
  index: number;
  what: string;
}

/** A log that was read. */
export interface ReadLog {
  size: number;
  /** When its checkpoint was signed, in seconds since 1970; null if it has no time, or was not read. */
  seconds: number | null;
}

/** The logs that are compared. */
export type ComparedLogs = Readonly<Record<EntryLog | 'accounts', ReadLog>>;

/** What the comparison needs. */
export interface MissingContext {
  awaited: Awaited;
  readers: Readonly<Record<EntryLog | 'accounts', EntryReader>>;
  logs: ComparedLogs;
  headOf(name: string): ChainHead | null;
  /** The greatest number of problems. */
  max: number;
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Compares what one log has and another one does not have yet: leaves of accounts without entries, and
 * entries without leaves.
 * @param settled gets what need not be compared again. It is not forgotten yet, as problems are not stored
 */
export async function missingProblems(context: MissingContext, settled: Settled): Promise<LogProblem[]> {
  const problems: LogProblem[] = [];
  context.awaited.removeMatched();
  await missingEntries(context, settled, problems);
  await missingLeaves(context, settled, problems);
  return problems;
}

async function missingEntries(
  { awaited, readers, logs, max }: MissingContext,
  settled: Settled,
  problems: LogProblem[],
): Promise<void> {
  for (const { log, leaf, entry } of awaited.leaves()) {
    if (problems.length >= max) return;
    const report = (what: string): void => {
      problems.push({ log: 'accounts', index: leaf, what });
      settled.leaves.push(leaf);
    };
    if (entry !== null) {
      report(otherHash(log, entry));
      continue;
    }
    if (logs[log].seconds === null) continue;
    const { receipt_id, at } = readAccountEntry(utf8.decode(await readers.accounts.entry(leaf)));
    if (mustHave(logs[log], at))
      report(`receipt ${receipt_id} is ${ACT_OF[log]}, and ${log} has no right entry of that`);
  }
}

async function missingLeaves(
  context: MissingContext,
  settled: Settled,
  problems: LogProblem[],
): Promise<void> {
  const { awaited, readers, logs, max } = context;
  if (logs.accounts.seconds === null) return;
  for (const { log, entry, leaf } of awaited.entries()) {
    if (problems.length >= max) return;
    const issue = readAccountEntry(utf8.decode(await readers.accounts.entry(leaf)));
    const { receiptId, at } = actIn(log, utf8.decode(await readers[log].entry(entry)));
    const isLinked = isLinkedSince(context, issue);
    if (isLinked && !mustHave(logs.accounts, at)) continue;
    settled.entries.push({ log, entry });
    if (!isLinked) continue;
    const what = `receipt ${receiptId} is ${ACT_OF[log]}, and accounts has no leaf of that: entry ${leaf} of accounts says that it was issued, and its account is linked since`;
    problems.push({ log, index: entry, what });
  }
}

/** Returns whether the account of the issue of a receipt was linked all the time since. */
function isLinkedSince({ headOf }: MissingContext, issue: AccountEntry): boolean {
  const since = linkedSince(headOf, issue.account);
  return issue.event === 'issued' && since !== null && since < issue.sequence;
}

/** Returns whether a log must have what was done at a time. @param at RFC 3339 */
function mustHave({ seconds }: ReadLog, at: string): boolean {
  return seconds !== null && Date.parse(at) + MUST_HAVE_MS <= seconds * 1000;
}

/** Returns the receipt and the time of an entry of a receipt. */
function actIn(log: EntryLog, text: string): { receiptId: string; at: string } {
  if (log === 'receipts') {
    const { receipt_id, finalized_at } = readReceiptEntry(text);
    return { receiptId: receipt_id, at: finalized_at };
  }
  const revoked = readAnyRevocationEntry(text);
  if (!('receipt' in revoked)) throw new Error('an agent has no leaf of accounts');
  return { receiptId: revoked.receipt.receipt_id, at: revoked.receipt.revoked_at };
}
