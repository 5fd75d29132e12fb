import {
  isJsonObject,
  JsonError,
  type JsonObject,
  type JsonValue,
  parseJsonBytes,
} from '../encoding/json.ts';
import type { Primitives } from '../primitives.ts';
import { type AccountStatement, type MovementSum, statementContradictions } from './account-statement.ts';
import { lockedBy } from './figures.ts';
import { JournalVerifier, type PublishedEntry } from './journal.ts';
import { type JournalOwner, OF_LOCKED } from './journal-entry.ts';

/** The kind of the entries by which a pool received what it had before it had a journal. */
const OPENING = 'OPENING';

/** A journal, newest first, and what an agent had by class when it became complete. */
interface Journal {
  entries: PublishedEntry[];
  opening: JsonObject;
}

/** The sums of the entries of a statement's period, with what the newest entry of each class says. */
interface Period {
  entries: number;
  sums: Map<string, MovementSum>;
  available: Map<string, number>;
}

/**
 * Compares a statement with the journal of its account, as `GET …/credit-journal` returns it in NDJSON:
 * whether the hashes of the entries are right and form one chain, whether the statement's head is in it, and
 * whether the entries from there to the one before the period yield its sums and balances.
 * @param lines NDJSON, newest first, with or without its first line
 * @returns one sentence for each problem
 */
export function journalProblems(
  primitives: Primitives,
  statement: AccountStatement,
  lines: Uint8Array,
): string[] {
  const { journal, operator_id, subject_commitment = '' } = statement;
  const owner: JournalOwner = operator_id === undefined ? { subject_commitment } : { operator_id };
  const read = journalIn(lines);
  if (typeof read === 'string') return [read];
  const { entries, opening } = read;
  const verifier = new JournalVerifier(primitives, owner);
  for (const [index, entry] of entries.entries()) {
    const problem = verifier.check(entry);
    if (problem !== null) return [`entry ${index + 1} of the journal: ${problem}`];
  }
  const missing = verifier.end();
  if (missing !== null) return [`the journal is not whole: ${missing}`];
  const first = entries.findIndex(({ entry_hash }) => entry_hash === journal.head);
  if (journal.head !== null && first === -1) return ['the journal does not have the head of the statement'];
  const older = journal.head === null ? [] : entries.slice(first);
  const end = older.findIndex(({ entry_hash }) => entry_hash === journal.opening_head);
  if (journal.opening_head !== null && end === -1)
    return ['the journal does not have the newest entry before the period'];
  const own = older.slice(0, end === -1 ? older.length : end);
  const newer = journal.head === null ? entries : entries.slice(0, first);
  return [
    ...(older.length === journal.length
      ? []
      : [`the journal has ${older.length} entries up to the head, not ${journal.length}`]),
    ...timeProblems(statement, own, older.slice(own.length), newer),
    ...openingProblems(statement, older.slice(own.length), opening),
    ...sumProblems(statement, periodOf(own)),
  ];
}

/** Compares what the account had at the beginning with the entries before the period. */
function openingProblems(
  { opening, turnover }: AccountStatement,
  before: readonly PublishedEntry[],
  complete: JsonObject,
): string[] {
  const problems: string[] = [];
  for (const asset of new Set([...Object.keys(opening), ...before.map((entry) => entry.asset)])) {
    const stated = opening[asset];
    const available = before.find((entry) => entry.asset === asset)?.balance_after ?? 0;
    if ((stated?.available ?? 0) !== available)
      problems.push(`the journal begins the period with ${available} available ${asset} credits`);
    if (turnover === undefined) continue;
    const locked = lockedIn(before, asset, complete[asset]);
    if ((stated?.locked ?? 0) !== locked)
      problems.push(`the journal begins the period with ${locked} locked ${asset} credits`);
  }
  return problems;
}

/** Returns what an agent has locked after entries. Those before its journal was complete say too little. */
function lockedIn(before: readonly PublishedEntry[], asset: string, complete: JsonValue | undefined): number {
  const from = isJsonObject(complete) ? complete : {};
  const end = before.findIndex(({ entry_hash }) => entry_hash === from.entry_hash);
  const since = before.slice(0, end === -1 ? before.length : end);
  const began = typeof from.locked === 'number' ? from.locked : 0;
  return since.reduce((sum, entry) => sum + (entry.asset === asset ? lockedBy(entry) : 0), began);
}

function timeProblems(
  { from, until }: AccountStatement,
  own: readonly PublishedEntry[],
  before: readonly PublishedEntry[],
  newer: readonly PublishedEntry[],
): string[] {
  const [newest] = own;
  const [last] = before;
  return [
    ...(own.some(({ created_at }) => created_at < from) ? ['an entry of the period is from before it'] : []),
    ...(newest !== undefined && newest.created_at >= until
      ? ['an entry of the period is from after it']
      : []),
    ...(last !== undefined && last.kind !== OPENING && last.created_at >= from
      ? ['an entry before the period is of the period']
      : []),
    ...(newer.some(({ created_at }) => created_at < until)
      ? ['an entry after the head is of the period']
      : []),
  ];
}

function periodOf(own: readonly PublishedEntry[]): Period {
  const sums = new Map<string, MovementSum>();
  const available = new Map<string, number>();
  for (const { asset, kind, direction, of, amount, balance_after } of own) {
    const key = [asset, kind, direction, of ?? ''].join(' ');
    const known = sums.get(key) ?? { asset, kind, direction, count: 0, amount: 0 };
    sums.set(key, {
      ...known,
      ...(of === undefined ? {} : { of }),
      count: known.count + 1,
      amount: known.amount + amount,
    });
    if (!available.has(asset)) available.set(asset, balance_after);
  }
  return { entries: own.length, sums, available };
}

function sumProblems(statement: AccountStatement, { entries, sums, available }: Period): string[] {
  const { journal, closing } = statement;
  const problems =
    entries === journal.entries
      ? []
      : [`the journal has ${entries} entries in the period, not ${journal.entries}`];
  const stated = new Set(statement.movements.map(keyOf));
  for (const [key, { count, amount }] of sums) {
    const sum = statement.movements.find((each) => keyOf(each) === key);
    if (sum?.count !== count || sum.amount !== amount)
      problems.push(`the journal has ${count} entries and ${amount} credits of ${key.trim()}`);
    stated.delete(key);
  }
  for (const key of stated) problems.push(`the journal has no entries of ${key.trim()} in the period`);
  for (const [asset, balance] of available)
    if (closing[asset]?.available !== balance)
      problems.push(`the journal ends the period with ${balance} available ${asset} credits`);
  return problems.length === 0 ? statementContradictions(statement) : problems;
}

function keyOf({ asset, kind, direction, of = '' }: Omit<MovementSum, 'of'> & { of?: string }): string {
  return [asset, kind, direction, of].join(' ');
}

/** Returns the entries in NDJSON, or a sentence that says which line is none. */
function journalIn(bytes: Uint8Array): Journal | string {
  const entries: PublishedEntry[] = [];
  let opening: JsonValue = {};
  let start = 0;
  for (let line = 1; start < bytes.length; line++) {
    const found = bytes.indexOf(10, start);
    const end = found === -1 ? bytes.length : found;
    const value = valueIn(bytes.subarray(start, end));
    start = end + 1;
    if (line === 1 && isJsonObject(value) && value.type === 'credit-journal') {
      if (value.filtered !== false) return 'the journal is not whole: it was read with a filter';
      opening = value.opening ?? {};
      continue;
    }
    const entry = entryIn(value);
    if (entry === null) return `line ${line} of the journal is no entry`;
    entries.push(entry);
  }
  return { entries, opening: isJsonObject(opening) ? opening : {} };
}

function valueIn(line: Uint8Array): JsonValue {
  try {
    return parseJsonBytes(line);
  } catch (error) {
    if (error instanceof JsonError) return null;
    throw error;
  }
}

function entryIn(value: JsonValue): PublishedEntry | null {
  if (!isJsonObject(value)) return null;
  const { entry_id, kind, asset, amount, direction, of, balance_after } = value;
  const { created_at, detail_hash, entry_hash, prev_entry_hash } = value;
  const isText = (member: JsonValue | undefined): member is string => typeof member === 'string';
  const isCount = (member: JsonValue | undefined): member is number => Number.isSafeInteger(member);
  if (!isText(entry_id) || !isText(kind) || !isText(asset) || !isText(created_at) || !isText(detail_hash))
    return null;
  if (!isText(entry_hash) || !isCount(amount) || !isCount(balance_after)) return null;
  if (direction !== 'credit' && direction !== 'debit') return null;
  if (of !== undefined && of !== OF_LOCKED) return null;
  if (prev_entry_hash !== null && !isText(prev_entry_hash)) return null;
  return {
    ...{ entry_id, kind, asset, amount, direction, balance_after, created_at, detail_hash },
    ...(of === undefined ? {} : { of }),
    ...{ entry_hash, prev_entry_hash },
  };
}
