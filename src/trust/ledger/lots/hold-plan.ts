import { NEVER } from './maturity.ts';
import type { LotRow } from './store.ts';

/** Credits that are held until a time. */
export interface Tier {
  amount: number;
  /** Milliseconds since 1970. */
  until: number;
}

/** A lot of a payment, with whose it is. */
export interface PlacedLot {
  lot: LotRow;
  /** Whether the operator that paid, or one of its agents, has it. */
  isOwn: boolean;
  /** Of locked credits: whether they are an open withdrawal that no rail has begun to pay. */
  isQueued: boolean;
}

/** What becomes of a lot: how many of its credits mature when. */
export interface PlannedLot extends PlacedLot {
  parts: readonly Tier[];
}

/**
 * Returns which lots of a payment are held: first what the operator that paid has in its pool and with its
 * agents, then what others have that is not mature. What matured at others is theirs. What was held before
 * does not matter, so that the order of events does not.
 * @param lots without those of payments that are on their way @param tiers the latest end first
 * @param maturesAt when credits of the payment mature without a dispute @param now milliseconds since 1970
 * @returns every lot whose maturity may change
 */
export function plannedHold(
  lots: readonly PlacedLot[],
  tiers: readonly Tier[],
  maturesAt: number,
  now: number,
): PlannedLot[] {
  const takes = (one: PlacedLot): boolean =>
    one.lot.maturesAt !== NEVER && (one.isOwn || Math.max(one.lot.maturesAt, maturesAt) > now);
  const ranked = lots.filter(takes).map((one) => ({ one, rank: rankOf(one) }));
  ranked.sort((left, right) => compared(left.rank, right.rank));
  const rest = tiers.map((tier) => ({ ...tier }));
  return ranked.map(({ one }) => {
    const parts: Tier[] = [];
    let left = one.lot.amount;
    while (left > 0) {
      const [tier] = rest;
      const until = tier === undefined ? maturesAt : Math.max(tier.until, maturesAt);
      const amount = Math.min(left, tier?.amount ?? left);
      left -= amount;
      if (tier !== undefined) tier.amount -= amount;
      if (tier?.amount === 0) rest.shift();
      parts.push({ amount, until });
    }
    return { ...one, parts };
  });
}

const PLACES: Readonly<Record<string, number>> = { pool: 0, agent: 1, locked: 2 };

/** The order in which lots are held: by whose they are. In one account, those that mature last first. */
function rankOf({ lot, isOwn }: PlacedLot): readonly (number | string)[] {
  const { kind, ownerSeq, lock, maturesAt } = lot;
  return [isOwn ? 0 : 1, PLACES[kind] ?? 3, ownerSeq, lock, -maturesAt];
}

function compared(left: readonly (number | string)[], right: readonly (number | string)[]): number {
  for (const [at, value] of left.entries()) {
    const other = right[at] ?? 0;
    if (value !== other) return value < other ? -1 : 1;
  }
  return 0;
}
