import { parseTimestamp } from '../encoding/timestamp.ts';
import type { SignedType } from '../keys/signed-types.ts';
import { availableBy, earnedBy, grantedBy, lockedBy, spentBy } from './figures.ts';
import type { OF_LOCKED } from './journal-entry.ts';

/** The value of `type` of a statement. */
export const STATEMENT_TYPE = 'account-statement' satisfies SignedType;

/** What an account has of a class. A pool locks nothing. */
export type Balances = {
  available: number;
  /** Of an agent: in escrow, or reserved for withdrawals. */
  locked?: number;
};

/** The entries of a journal in the period that have one class, kind, direction and `of`. */
export type MovementSum = {
  asset: string;
  kind: string;
  direction: 'credit' | 'debit';
  of?: typeof OF_LOCKED;
  /** How many there are. */
  count: number;
  /** What they add up to. */
  amount: number;
};

/** What an agent was granted, earned and spent in the period, of a class. */
export type Turnover = {
  granted: number;
  earned: number;
  spent: number;
};

/** The members of a statement that must add up. */
export type StatedMonth = {
  /** UTC: YYYY-MM. */
  month: string;
  /** RFC 3339 UTC with milliseconds: the beginning of the month, or of the journal in it. */
  from: string;
  /** Exclusive: the end of the month, or the time of an interim statement. */
  until: string;
  interim: boolean;
  /** By class. */
  opening: Record<string, Balances>;
  movements: MovementSum[];
  /** By class; of an agent only. */
  turnover?: Record<string, Turnover>;
  closing: Record<string, Balances>;
};

/** A statement without its signature. It has the member of one owner. */
export type AccountStatement = StatedMonth & {
  type: typeof STATEMENT_TYPE;
  subject_commitment?: string;
  operator_id?: string;
  journal: StatedJournal;
  /** RFC 3339 UTC with milliseconds. */
  issued_at: string;
};

/** What a statement says of the journal. */
export type StatedJournal = {
  /** The number of entries in the period, and in the journal up to its end. */
  entries: number;
  length: number;
  /** The hashes of the newest entries before the period and at its end; null for none. */
  opening_head: string | null;
  head: string | null;
};

/**
 * Returns the bounds of a month in milliseconds since 1970, `end` exclusive; null for a text that is no
 * month.
 */
export function boundsOfMonth(month: string): { start: number; end: number } | null {
  const start = /^\d{4}-\d{2}$/.test(month) ? parseTimestamp(`${month}-01T00:00:00.000Z`) : null;
  if (start === null) return null;
  const date = new Date(start);
  return { start, end: Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1) };
}

/** Returns the UTC month of a time: `YYYY-MM`. @param time milliseconds since 1970 */
export function monthOf(time: number): string {
  return new Date(time).toISOString().slice(0, 'YYYY-MM'.length);
}

/**
 * Returns by how much the sums of a class change what an account has. Sums can be larger than a double holds
 * exactly.
 */
export function changeOf(
  sums: readonly MovementSum[],
  asset: string,
): Record<keyof Required<Balances> | keyof Turnover, bigint> {
  const own = sums.filter((sum) => sum.asset === asset);
  const total = (by: (sum: MovementSum) => number): bigint =>
    own.reduce((all, sum) => all + BigInt(by(sum)), 0n);
  return {
    available: total(availableBy),
    locked: total(lockedBy),
    granted: total(grantedBy),
    earned: total(earnedBy),
    spent: total(spentBy),
  };
}

/** Returns what a statement says that does not add up, one sentence each. */
export function statementContradictions(stated: StatedMonth): string[] {
  const { opening, closing, movements, turnover } = stated;
  const assets = new Set([
    ...[opening, closing, turnover ?? {}].flatMap((by) => Object.keys(by)),
    ...movements.map(({ asset }) => asset),
  ]);
  const isAgent = turnover !== undefined;
  const problems = periodProblems(stated);
  const names = movements.map(({ asset, kind, direction, of = '' }) =>
    [asset, kind, direction, of].join(' '),
  );
  if (new Set(names).size < names.length) problems.push('movements has two sums of the same entries');
  if (movements.some(({ count, amount }) => count < 1 || amount < count))
    problems.push('movements has a sum that no entries have');
  for (const asset of assets) {
    const change = changeOf(movements, asset);
    for (const name of isAgent ? (['available', 'locked'] as const) : (['available'] as const)) {
      const expected = BigInt(opening[asset]?.[name] ?? 0) + change[name];
      const found = BigInt(closing[asset]?.[name] ?? 0);
      if (expected !== found)
        problems.push(`the ${name} ${asset} credits are ${found} at the end, and add up to ${expected}`);
    }
    for (const name of isAgent ? (['granted', 'earned', 'spent'] as const) : [])
      if (BigInt(turnover?.[asset]?.[name] ?? 0) !== change[name])
        problems.push(`turnover.${asset}.${name} is not the sum of its movements`);
  }
  return problems;
}

function periodProblems({ month, from, until, interim }: StatedMonth): string[] {
  const bounds = boundsOfMonth(month);
  const [start, end] = [Date.parse(from), Date.parse(until)];
  if (bounds === null || !(start >= bounds.start && start <= end && end <= bounds.end))
    return ['from and until are not in the month'];
  return interim || end === bounds.end ? [] : ['the month was not over at until, but interim is false'];
}
