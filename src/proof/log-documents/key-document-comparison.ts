import type { IndexedEntry, KeyLogEntries } from '../log/key-log.ts';
import { stateAfter } from '../log/key-state.ts';
import {
  closedLogsIn,
  type IndexedChange,
  type PublishedClosedLog,
  receiptsLogsOf,
} from '../log/log-chain.ts';
import { commonOf, isOriginOf, originOf } from '../log/log-names.ts';
import type { KeyDocument, PublishedKey } from './key-document.ts';

/** Compares a document with a key log. @returns where they differ, one sentence each */
export function documentProblems(document: KeyDocument, { keys, changes }: KeyLogEntries): string[] {
  return [...keyProblems(document, keys, changes), ...closedLogProblems(document, changes)];
}

function keyProblems(
  { keys, log }: KeyDocument,
  entries: readonly IndexedEntry[],
  changes: readonly IndexedChange[],
): string[] {
  const problems: string[] = [];
  const closed = closedLogsIn(changes, log.tree_size);
  const known = new Map<string, IndexedEntry[]>();
  for (const one of entries) known.set(one.entry.kid, [...(known.get(one.entry.kid) ?? []), one]);
  const named = new Set<string>();
  for (const [position, row] of keys.entries()) {
    const path = `keys[${position}]`;
    if (named.has(row.kid)) problems.push(`${path}.kid: two rows are of the key ${row.kid}`);
    named.add(row.kid);
    const events = known.get(row.kid);
    if (events === undefined) problems.push(`${path}.kid: the key log does not know the key ${row.kid}`);
    else problems.push(...rowProblems(path, row, events, { keyLog: log.origin, closed }));
  }
  for (const kid of known.keys())
    if (!named.has(kid)) problems.push(`keys: the key ${kid} of the key log is missing`);
  return problems;
}

/**
 * Compares the closed logs of a document with those that a key log had at the size that the document states.
 */
function closedLogProblems(
  { closed_logs: rows, log }: KeyDocument,
  changes: readonly IndexedChange[],
): string[] {
  const expected = closedLogsIn(changes, log.tree_size);
  const problems = rows.flatMap((row, position) =>
    closedLogRowProblems(`closed_logs[${position}]`, row, expected[position]),
  );
  const lacking = expected
    .slice(rows.length)
    .map(({ origin }) => `closed_logs: ${origin} of the key log is missing`);
  return [...problems, ...lacking];
}

/** Compares a row with the closed log at its position in the key log; undefined if there is none. */
function closedLogRowProblems(
  path: string,
  row: PublishedClosedLog,
  expected: PublishedClosedLog | undefined,
): string[] {
  if (expected === undefined) return [`${path}: the key log of this size has no closed log at this position`];
  const said = new Map<string, unknown>(Object.entries(row));
  return Object.entries(expected)
    .filter(([name, value]) => value !== said.get(name))
    .map(([name, value]) => `${path}.${name} is not ${short(value)}, as the key log says`);
}

/** Compares a row with the events of its key, of which there is at least one. */
function rowProblems(
  path: string,
  row: PublishedKey,
  events: readonly IndexedEntry[],
  logs: { keyLog: string; closed: readonly PublishedClosedLog[] },
): string[] {
  const [first] = events;
  const newest = events.at(-1);
  if (first === undefined || newest === undefined) return [];
  const state = stateAfter(newest.entry);
  const expected = {
    algorithm: first.entry.algorithm,
    public_key: first.entry.public_key,
    purpose: first.entry.purpose,
    status: state.status,
    valid_until: state.valid_until,
    log_index: first.index,
    receipts_tree_size: state.receipts_tree_size,
  };
  const problems = Object.entries(expected)
    .map(([name, value]) => ({ name, value, said: new Map<string, unknown>(Object.entries(row)).get(name) }))
    .filter(({ value, said }) => value !== said)
    .map(({ name, value }) => `${path}.${name} is not ${short(value)}, as the key log says`);
  const activated = events.find(({ entry }) => entry.event === 'activated')?.entry.at;
  if (activated !== undefined && row.valid_from > activated)
    problems.push(`${path}.valid_from is after ${activated}, when the key log says that it was activated`);
  const size = state.receipts_tree_size;
  problems.push(...receiptsLogProblems(path, row, { index: newest.index, size, ...logs }));
  return problems;
}

/**
 * Compares the names of the receipts logs with those that follow from the key log. A key log from before it
 * had entries about closed logs does not have their names.
 */
function receiptsLogProblems(
  path: string,
  { receipts_logs: names }: PublishedKey,
  end: { index: number; size: number | null; keyLog: string; closed: readonly PublishedClosedLog[] },
): string[] {
  const { index, size, keyLog, closed } = end;
  if (size === null)
    return names.length === 0 ? [] : [`${path}.receipts_logs is not empty, but the key has not ended`];
  if (!isOriginOf(keyLog, 'keys')) return [];
  const open = originOf(commonOf({ origin: keyLog, name: 'keys' }), 'receipts');
  if (closed.length > 0) {
    const expected = receiptsLogsOf({ index, size }, closed, open);
    if (names.length === expected.length && expected.every((name) => names.includes(name))) return [];
    return [`${path}.receipts_logs is not ${expected.join(', ')}, as follows from the key log`];
  }
  if (names.includes(open) && names.every((name) => isOriginOf(name, 'receipts'))) return [];
  return [`${path}.receipts_logs are not logs of receipts with ${open} among them`];
}

function short(value: string | number | boolean | null): string {
  return typeof value === 'string' && value.length > 100 ? 'the value' : JSON.stringify(value);
}
