import { nativePrimitives } from '../../src/platform/crypto/crypto.ts';
import { AccountHistory } from '../../src/proof/account/account-history.ts';
import { Completeness } from '../../src/proof/account/completeness.ts';
import { type ListedReceipt, listedReceipt } from '../../src/proof/account/listed-receipt.ts';
import type { AccountProblem } from '../../src/proof/account/problems.ts';
import { MemoryReceiptTable } from '../../src/proof/account/receipt-table.ts';
import { accountOf } from '../../src/proof/log/linked-account.ts';
import type { AccountEntry } from '../../src/proof/log/log-entry.ts';
import {
  checkpointsOf,
  listedOf,
  type MadeAccount,
  OPERATOR,
  OTHER,
  pendingReceipt,
} from './made-account.ts';

const ACCOUNT = accountOf(nativePrimitives, OPERATOR);
const OTHER_ACCOUNT = accountOf(nativePrimitives, OTHER);
const FORGED = 'ef'.repeat(32);
const HOUR = 3_600_000;

type ReceiptEntry = Extract<AccountEntry, { receipt_id: string }>;

/** An account with everything that no trial changes. */
export interface Prepared {
  made: MadeAccount;
  listed: readonly ListedReceipt[];
  now: number;
}

export function prepare(made: MadeAccount): Prepared {
  return { made, listed: listedOf(made.receipts), now: made.kept.at(-1)?.time ?? 0 };
}

/** What a stranger gets: a list, and a log that witnesses cosigned as it is. */
export interface Shown {
  listed: ListedReceipt[];
  entries: AccountEntry[];
  kept: { size: number; time: number }[];
}

/** Compares a list with a log by the code of `verify --complete`. */
export function problemsOf({ listed, entries, kept }: Shown, now: number): AccountProblem[] {
  const problems: AccountProblem[] = [];
  const report = (problem: AccountProblem): void => void problems.push(problem);
  const history = new AccountHistory(new MemoryReceiptTable(), report);
  const times = checkpointsOf(kept);
  for (const [index, entry] of entries.entries())
    if (entry.account === ACCOUNT) history.take(entry, times.timesOf(index));
  const completeness = new Completeness(history, OPERATOR, now, report);
  for (const [index, receipt] of listed.entries()) completeness.take(index + 1, receipt);
  problems.push(...completeness.finish());
  return problems;
}

/** Whole numbers from a seed (mulberry32), so that a trial can be repeated. */
export function numbersFrom(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}

/**
 * A way to cheat. It changes what is shown, and returns groups of receipts: at least one of each must be
 * named.
 */
type Cheat = (
  shown: Shown,
  prepared: Prepared,
  next: (below: number) => number,
  places: number[],
) => string[][];

const idsAt = ({ listed }: Prepared, places: readonly number[]): string[][] =>
  places.map((place) => [listed[place]?.receiptId ?? '']);

/** Changes the receipts at some places of the list. */
const changing =
  (change: (receipt: ListedReceipt, prepared: Prepared) => ListedReceipt): Cheat =>
  (shown, prepared, _, places) => {
    for (const place of places) {
      const receipt = shown.listed[place];
      if (receipt !== undefined) shown.listed[place] = change(receipt, prepared);
    }
    return idsAt(prepared, places);
  };

/** Replaces leaves of the receipts at some places: by none, by several, or by others. */
const leaves =
  (change: (entry: ReceiptEntry) => AccountEntry[], renumbered: boolean): Cheat =>
  (shown, prepared, _, places) => {
    const ids = idsAt(prepared, places);
    const wanted = new Set(ids.flat());
    replaceLeaves(shown, (entry) =>
      entry.receipt_id !== null && entry.account === ACCOUNT && wanted.has(entry.receipt_id)
        ? change(entry)
        : null,
    );
    if (renumbered) renumber(shown);
    return ids;
  };

function replaceLeaves(shown: Shown, change: (entry: AccountEntry) => AccountEntry[] | null): void {
  const entries: AccountEntry[] = [];
  const sizes = [0];
  for (const entry of shown.entries) {
    const others = change(entry);
    if (others === null) entries.push(entry);
    else entries.push(...others);
    sizes.push(entries.length);
  }
  shown.entries = entries;
  shown.kept = shown.kept.map(({ size, time }) => ({ size: sizes[size] ?? 0, time }));
}

/** Gives the leaves the sequences that follow, as an operator would whose service helps it. */
function renumber(shown: Shown): void {
  let sequence = 0;
  const agents = new Map<string, number>();
  shown.entries = shown.entries.map((entry) => {
    if (entry.account !== ACCOUNT) return entry;
    sequence++;
    if (entry.receipt_id === null) return { ...entry, sequence };
    const agent_sequence = (agents.get(entry.agent) ?? 0) + 1;
    agents.set(entry.agent, agent_sequence);
    return { ...entry, sequence, agent_sequence };
  });
}

export const CHEATS: Readonly<Record<string, Cheat>> = {
  'receipts dropped': (shown, prepared, _, places) => {
    const dropped = new Set(places);
    shown.listed = shown.listed.filter((_, place) => !dropped.has(place));
    return idsAt(prepared, places);
  },
  'list cut at the end': (shown, prepared, next) => {
    const cut = 1 + next(Math.min(shown.listed.length, 50));
    const from = shown.listed.length - cut;
    shown.listed.length = from;
    return prepared.listed.slice(from).map(({ receiptId }) => [receiptId]);
  },
  'receipts swapped': (shown, prepared, next, places) => {
    const [one = 0] = places;
    const any = (one + 1 + next(shown.listed.length - 1)) % shown.listed.length;
    // With a single receipt between the two, this one can be named in place of one of them.
    const other = Math.abs(any - one) === 2 ? (any + one) / 2 : any;
    const [first, second] = [shown.listed[one], shown.listed[other]];
    if (first === undefined || second === undefined) return [['']];
    shown.listed[one] = second;
    shown.listed[other] = first;
    return [idsAt(prepared, [one, other]).flat()];
  },
  'receipt moved to the end': (shown, prepared, _, places) => {
    const [place = 0] = places;
    // Of two neighbours either one can be named.
    const from = Math.min(place, shown.listed.length - 3);
    shown.listed.push(...shown.listed.splice(from, 1));
    return idsAt(prepared, [from]);
  },
  'content changed and signed again': changing((receipt) => ({ ...receipt, issued: FORGED })),
  'outcome changed and signed again': changing((receipt) => ({ ...receipt, finalized: FORGED })),
  'issued_at changed and signed again': changing((receipt) => ({
    ...receipt,
    issuedAt: receipt.issuedAt - 1,
  })),
  'moved to another agent': changing((receipt) => ({ ...receipt, agent: FORGED })),
  'moved to another account': changing((receipt) => ({ ...receipt, operatorId: OTHER })),
  'older version shown': (shown, prepared, next) => {
    const final = prepared.listed
      .map((_, place) => place)
      .filter((place) => prepared.listed[place]?.finalized !== null);
    const place = final[next(final.length)] ?? 0;
    const receipt = shown.listed[place];
    if (receipt !== undefined) shown.listed[place] = { ...receipt, finalized: null, revoked: null };
    return idsAt(prepared, [place]);
  },
  'receipt added': (shown, { now }, next) => {
    const added = listedReceipt(nativePrimitives, pendingReceipt(0x7fff0000 + next(1000), now - 500));
    // A list that begins within a minute of the link can have receipts from before it.
    shown.listed.splice(next(shown.listed.length), 0, { ...added, issuedAt: now - 500 });
    return [[added.receiptId]];
  },
  'receipt listed twice': (shown, prepared, next, places) => {
    for (const place of places) {
      const receipt = prepared.listed[place];
      if (receipt !== undefined) shown.listed.splice(next(shown.listed.length), 0, receipt);
    }
    return idsAt(prepared, places);
  },
  'never finalized': (shown, prepared, _, places) => {
    const ids = idsAt(prepared, places);
    const wanted = new Set(ids.flat());
    replaceLeaves(shown, (entry) =>
      entry.receipt_id !== null && wanted.has(entry.receipt_id) && entry.event !== 'issued' ? [] : null,
    );
    renumber(shown);
    for (const place of places) {
      const receipt = shown.listed[place];
      if (receipt === undefined) continue;
      shown.listed[place] = { ...receipt, finalized: null, revoked: null, expiry: prepared.now - 1 };
    }
    return ids;
  },
  'leaves dropped': leaves(() => [], false),
  'leaves dropped, sequences changed': leaves(() => [], true),
  'leaves repeated': leaves((entry) => [entry, entry], false),
  'leaves repeated, sequences changed': leaves((entry) => [entry, entry], true),
  'leaves of another receipt': leaves(
    (entry) => [{ ...entry, receipt_id: entry.receipt_id.replace('rcpt_0', 'rcpt_f') }],
    true,
  ),
  'leaves of another content': leaves((entry) => [{ ...entry, content_hash: FORGED }], true),
  'leaves of another agent': leaves((entry) => [{ ...entry, agent: FORGED }], true),
  'leaves of another account': leaves((entry) => [{ ...entry, account: OTHER_ACCOUNT }], true),
  'leaves dated back': leaves(
    (entry) => [{ ...entry, at: new Date(Date.parse(entry.at) - HOUR).toISOString() }],
    true,
  ),
  'leaves dated ahead': leaves(
    (entry) => [{ ...entry, at: new Date(Date.parse(entry.at) + HOUR).toISOString() }],
    true,
  ),
  'account unlinked without a leaf': (shown) => {
    replaceLeaves(shown, (entry) => (entry.event === 'linked' && entry.account === ACCOUNT ? [] : null));
    renumber(shown);
    return [];
  },
};

/**
 * Cheats once, in one place or in many.
 * @param changes the receipts that are changed; some ways to cheat have their own number
 * @returns what is shown, and groups of receipts: at least one of each must be named
 */
export function shownBy(
  cheat: Cheat,
  prepared: Prepared,
  next: (below: number) => number,
  changes: number,
): { shown: Shown; groups: string[][] } {
  const { made, listed } = prepared;
  const places = new Set<number>();
  while (places.size < Math.min(changes, listed.length)) places.add(next(listed.length));
  const shown = { listed: [...listed], entries: made.entries, kept: made.kept };
  return { groups: cheat(shown, prepared, next, [...places]), shown };
}

/**
 * Cheats once like `shownBy`, and checks that all of it is named.
 * @returns what was not named, in a sentence; null for nothing
 */
export function missedBy(
  name: string,
  prepared: Prepared,
  next: (below: number) => number,
  changes: number,
): string | null {
  const cheat = CHEATS[name];
  if (cheat === undefined) return `no way to cheat is called ${name}`;
  const { made, now } = prepared;
  const { shown, groups } = shownBy(cheat, prepared, next, changes);
  const problems = problemsOf(shown, now);
  if (problems.length === 0) return `${name}: nothing was named`;
  const named = new Set(problems.map(({ receipt_id }) => receipt_id));
  const missed = groups.find((ids) => !ids.some((id) => named.has(id)));
  if (missed !== undefined) return `${name}: ${missed.join(' or ')} was not named`;
  // Cheating with the list names nobody else.
  const touched = new Set<string | null>(groups.flat());
  const other =
    shown.entries === made.entries ? problems.find(({ receipt_id }) => !touched.has(receipt_id)) : undefined;
  return other === undefined ? null : `${name}: ${other.receipt_id} was named as ${other.problem}`;
}
