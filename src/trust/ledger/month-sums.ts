import type { Snapshot } from '../../platform/store/transaction.ts';
import { changeOf, type MovementSum } from '../../proof/ledger/account-statement.ts';
import { OF_LOCKED } from '../../proof/ledger/journal-entry.ts';
import { type CreditClass, creditClassOf, type JournalAccount } from './accounts.ts';
import { openingEntries } from './journal-entries.ts';
import {
  entriesFrom,
  markAfter,
  movementAt,
  newestOfAccount,
  type Side,
  sumsFrom,
} from './statement-store.ts';
import { agentCreditOf, type MovementRow, type OpeningRow, openingsOf } from './store.ts';

/** A period of a journal, in milliseconds since 1970; `end` is exclusive. */
export interface MonthOrder {
  account: JournalAccount;
  start: number;
  end: number;
}

/** What an account has of one class: available, and locked of an agent. */
export type ClassBalances = { available: number; locked?: number };

/** The sums of the entries of a period. */
export interface MonthSums {
  opening: Partial<Record<CreditClass, ClassBalances>>;
  closing: Partial<Record<CreditClass, ClassBalances>>;
  movements: (MovementSum & { asset: CreditClass })[];
  /** The number of entries in the period, and in the journal up to its end. */
  entries: number;
  length: number;
  /** The hashes of the newest entries before the period and at its end; null for none. */
  openingHead: string | null;
  head: string | null;
}

/** A sum of the period is larger than numbers can be. */
export class SumTooLarge extends Error {}

/** The entries that one statement reads: about 10 ms. */
const PAGE = 5000;
/** The distance of two marked entries. */
const MARKED = 256;

/** A side of a movement in a journal, with what follows from both. */
type Found = { side: Side; kind: string; asset: CreditClass };

/**
 * Adds up the entries of a journal in a period. It reads these entries, and earlier ones only to find the
 * balance of a class that the period does not change and a later one does.
 * @throws SumTooLarge
 */
export async function monthIn(snapshot: Snapshot, { account, start, end }: MonthOrder): Promise<MonthSums> {
  const openings = await openingsOf(snapshot, { kind: account.kind, ownerSeq: account.ownerSeq });
  const [opened] = openings;
  const after = opened?.afterSeq ?? 0;
  const newest = await newestBefore(snapshot, account, end);
  const beginning = beginningOf(account, openings);
  const isAfterOpening = newest !== null && newest.seq > after;
  const walk = new Walk(snapshot, account, after);
  const sums = new Map<string, MovementSum & { asset: CreditClass; total: bigint }>();
  let entries = 0;
  let next = isAfterOpening ? newest.seq : null;
  let previous = next;
  while (next !== null) {
    const { groups, count, first } = await walk.page(next, start);
    for (const group of groups) add(sums, group);
    entries += count;
    if (count > 0) previous = first;
    next = count === PAGE ? first : null;
  }
  const movements = [...sums.values()].map(({ total, ...sum }) => ({ ...sum, amount: safe(total) }));
  const closing = await closingOf(snapshot, walk, {
    account,
    openings,
    head: newest?.seq ?? 0,
    before: previous,
  });
  const opening = Object.fromEntries(
    Object.entries(closing).map(([asset, { available, locked }]) => {
      const change = changeOf(movements, asset);
      const began = { available: Number(BigInt(available) - change.available) };
      return [
        asset,
        locked === undefined ? began : { ...began, locked: Number(BigInt(locked) - change.locked) },
      ];
    }),
  );
  const length =
    account.kind === 'agent' ? (newest?.number ?? 0) : await poolLength(snapshot, newest, after, beginning);
  return {
    opening,
    closing,
    movements,
    entries,
    length,
    openingHead: await hashAt(snapshot, account, openings, previous),
    head: await hashAt(snapshot, account, openings, newest?.seq ?? null),
  };
}

/** Returns the hash of the newest entry before a time in milliseconds since 1970; null for none. */
export async function headBefore(
  snapshot: Snapshot,
  account: JournalAccount,
  end: number,
): Promise<string | null> {
  const openings = await openingsOf(snapshot, { kind: account.kind, ownerSeq: account.ownerSeq });
  const newest = await newestBefore(snapshot, account, end);
  return hashAt(snapshot, account, openings, newest?.seq ?? null);
}

/** Returns the hash of an entry; that of the end of the opening for null, and for an entry before it. */
async function hashAt(
  snapshot: Snapshot,
  account: JournalAccount,
  openings: readonly OpeningRow[],
  seq: number | null,
): Promise<string | null> {
  const isAfterOpening = seq !== null && seq > (openings[0]?.afterSeq ?? 0);
  const row = isAfterOpening ? await movementAt(snapshot, seq) : null;
  return row === null ? beginningOf(account, openings).head : hashOf(account, row);
}

/**
 * Returns the time at which a journal from an earlier version became complete, in milliseconds since 1970;
 * null for one that always was.
 */
export async function completeSince(
  snapshot: Snapshot,
  { kind, ownerSeq }: JournalAccount,
): Promise<number | null> {
  const [opening] = await openingsOf(snapshot, { kind, ownerSeq });
  return opening?.createdAt ?? null;
}

/** Returns the end of a journal when it became complete. */
function beginningOf(
  { kind, name }: JournalAccount,
  openings: readonly OpeningRow[],
): { length: number; head: string | null } {
  if (kind === 'agent') return { length: 0, head: openings[0]?.head ?? null };
  const entries = openingEntries(name, openings);
  return { length: entries.length, head: entries.at(-1)?.entryHash ?? null };
}

async function poolLength(
  snapshot: Snapshot,
  newest: { seq: number } | null,
  after: number,
  beginning: { length: number },
): Promise<number> {
  if (newest === null || newest.seq <= after) return beginning.length;
  return (await movementAt(snapshot, newest.seq))?.poolEntry ?? beginning.length;
}

/** Returns the newest entry before a time, with its number in the journal of an agent; null for none. */
async function newestBefore(
  snapshot: Snapshot,
  { kind: account, ownerSeq }: JournalAccount,
  to: number,
): Promise<{ seq: number; number: number } | null> {
  const mark = await markAfter(snapshot, { account, ownerSeq, to });
  const rows = await newestOfAccount(snapshot, { kind: account, ownerSeq });
  const newest = Math.max(0, ...rows.map(({ lastSeq }) => lastSeq ?? 0));
  const all = account === 'agent' ? ((await agentCreditOf(snapshot, ownerSeq))?.entries ?? 0) : 0;
  const marked = mark?.movementSeq ?? null;
  // Marks are at the multiples, so the number of the first one follows from how many there are after it.
  const last = Math.floor(all / MARKED) * MARKED;
  let number = marked === null ? all : last - ((mark?.count ?? 1) - 1) * MARKED;
  let first: number | null = marked ?? (newest === 0 ? null : newest);
  while (first !== null) {
    const walked = await entriesFrom(snapshot, { account, ownerSeq, first, to, most: PAGE });
    const end = walked.at(-1);
    if (end === undefined) return null;
    number -= walked.length - 1;
    if (end.createdAt < to) return { seq: end.seq, number };
    first = end.previous;
    number -= 1;
  }
  return null;
}

/** Reads the sums of a journal page by page, and keeps where each class changed last. */
class Walk {
  /** The newest entries that changed what is available or locked, by its name and the class. */
  readonly newest = new Map<string, { seq: number; found: Found }>();

  constructor(
    private readonly snapshot: Snapshot,
    private readonly account: JournalAccount,
    private readonly after: number,
  ) {}

  /** @returns the groups, how many entries they have, and the one before them */
  async page(first: number, from: number) {
    const { kind: account, ownerSeq } = this.account;
    const rows = await sumsFrom(this.snapshot, {
      account,
      ownerSeq,
      first,
      from,
      after: this.after,
      most: PAGE,
    });
    const groups = rows.map((row) => {
      const asset = creditClassOf(row.asset);
      if (asset === null) throw new Error(`the journal of ${account} ${ownerSeq} has cents`);
      return { ...row, asset, side: sideOf(row.side) };
    });
    for (const { asset, kind, side, last: seq } of groups)
      for (const name of changedBy(kind, side)) {
        const known = this.newest.get(`${name} ${asset}`);
        if (known === undefined || known.seq < seq)
          this.newest.set(`${name} ${asset}`, { seq, found: { side, kind, asset } });
      }
    const oldest = Math.min(...groups.map((group) => group.first));
    return {
      groups,
      count: groups.reduce((sum, { count }) => sum + count, 0),
      first: groups.length === 0 ? first : await this.previousOf(oldest),
    };
  }

  private async previousOf(seq: number): Promise<number | null> {
    const { kind: account, ownerSeq } = this.account;
    const [row] = await entriesFrom(this.snapshot, { account, ownerSeq, first: seq, to: 0, most: 1 });
    return row?.previous ?? null;
  }
}

/** Returns what an entry changes. */
function changedBy(kind: string, side: Side): readonly ('available' | 'locked')[] {
  if (side === 'payer') return ['available', 'locked'];
  return kind === 'LOCK' || kind === 'UNLOCK' ? ['available', 'locked'] : ['available'];
}

/** Returns what an account had at the end, by class. */
async function closingOf(
  snapshot: Snapshot,
  walk: Walk,
  {
    account,
    openings,
    head,
    before,
  }: { account: JournalAccount; openings: readonly OpeningRow[]; head: number; before: number | null },
): Promise<MonthSums['closing']> {
  const after = openings[0]?.afterSeq ?? 0;
  const closing: MonthSums['closing'] = {};
  let older = before;
  const balanceOf = async (
    name: 'available' | 'locked',
    row: NewestRow,
    asset: CreditClass,
  ): Promise<number> => {
    const isUnchanged = row.lastSeq !== null && row.lastSeq <= head && !walk.newest.has(`${name} ${asset}`);
    if (isUnchanged) return row.balance;
    while (!walk.newest.has(`${name} ${asset}`) && older !== null && older > after) {
      const page = await walk.page(older, 0);
      older = page.count === PAGE ? page.first : null;
    }
    const newest = walk.newest.get(`${name} ${asset}`);
    if (newest === undefined) return openingOf(name, openings, asset);
    const movement = await movementAt(snapshot, newest.seq);
    if (movement === null) throw new Error(`there is no movement ${newest.seq}`);
    return balanceAfter(name, movement, newest.found);
  };
  const available = await newestOfAccount(snapshot, { kind: account.kind, ownerSeq: account.ownerSeq });
  const locked =
    account.kind === 'agent'
      ? await newestOfAccount(snapshot, { kind: 'locked', ownerSeq: account.ownerSeq })
      : [];
  for (const row of available) {
    const asset = creditClassOf(row.asset);
    if (asset === null) continue;
    const own = { available: await balanceOf('available', row, asset) };
    const lock = locked.find((each) => each.asset === asset);
    closing[asset] =
      account.kind === 'pool'
        ? own
        : { ...own, locked: lock === undefined ? 0 : await balanceOf('locked', lock, asset) };
  }
  return closing;
}

type NewestRow = Awaited<ReturnType<typeof newestOfAccount>>[number];

function openingOf(
  name: 'available' | 'locked',
  openings: readonly OpeningRow[],
  asset: CreditClass,
): number {
  const row = openings.find((each) => each.asset === asset);
  if (row === undefined) return 0;
  return name === 'available' ? row.balance : row.granted + row.earned - row.spent - row.balance;
}

function balanceAfter(name: 'available' | 'locked', movement: MovementRow, { side, kind }: Found): number {
  const { debitAfter, creditAfter, payerAfter } = movement;
  const isLocking = name === 'locked' && kind === 'LOCK';
  if (name === 'locked') return isLocking ? creditAfter : debitAfter;
  return { debit: debitAfter, credit: creditAfter, payer: payerAfter ?? 0 }[side];
}

function sideOf(text: string): Side {
  return text === 'debit' || text === 'credit' ? text : 'payer';
}

function add(
  sums: Map<string, MovementSum & { asset: CreditClass; total: bigint }>,
  {
    asset,
    kind,
    side,
    count,
    high,
    low,
  }: { asset: CreditClass; kind: string; side: Side } & Record<'count' | 'high' | 'low', number>,
): void {
  const direction = side === 'credit' ? 'credit' : 'debit';
  const known = sums.get(`${asset} ${kind} ${side}`);
  const total = (known?.total ?? 0n) + (BigInt(high) << 26n) + BigInt(low);
  sums.set(`${asset} ${kind} ${side}`, {
    asset,
    kind,
    direction,
    ...(side === 'payer' ? { of: OF_LOCKED } : {}),
    count: (known?.count ?? 0) + count,
    amount: 0,
    total,
  });
}

function safe(total: bigint): number {
  if (total > BigInt(Number.MAX_SAFE_INTEGER)) throw new SumTooLarge();
  return Number(total);
}

function hashOf({ kind, ownerSeq }: JournalAccount, movement: MovementRow): string | null {
  if (kind === 'pool') return movement.poolHash;
  if (movement.debitKind === kind && movement.debitOwner === ownerSeq) return movement.debitHash;
  return movement.creditKind === kind && movement.creditOwner === ownerSeq
    ? movement.creditHash
    : movement.payerHash;
}
