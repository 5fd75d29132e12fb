import type { Snapshot } from '../../platform/store/transaction.ts';
import { poolOf } from './accounts.ts';
import { creditsIn } from './balances.ts';
import { newestOfPool } from './level-store.ts';
import { countedForTier } from './tiers.ts';

/** The most movements that are read: about 5 ms. */
const MOST_MOVEMENTS = 2000;

/**
 * Returns the credits of an operator's pool at times, without sandbox credits; null for times before the
 * newest movements of the pool that are read.
 * @param times milliseconds since 1970, oldest first
 * @param most movements
 */
export async function poolLevels(
  snapshot: Snapshot,
  operator: { operatorSeq: number; operatorId: string },
  times: readonly number[],
  most = MOST_MOVEMENTS,
): Promise<(number | null)[]> {
  const { operatorSeq } = operator;
  const movements = await newestOfPool(snapshot, { operatorSeq, limit: most });
  const oldest = movements.length < most ? null : (movements.at(-1)?.createdAt ?? null);
  let level = countedForTier(await creditsIn(snapshot, poolOf(operator)));
  let next = 0;
  const levels: (number | null)[] = [];
  for (const time of times.toReversed()) {
    // What moved after this time is undone.
    for (let row = movements[next]; row !== undefined && row.createdAt > time; row = movements[++next]) {
      const isDebit = row.debitKind === 'pool' && row.debitOwner === operatorSeq;
      if (row.asset === 'paid' || row.asset === 'promotional') level += isDebit ? row.amount : -row.amount;
    }
    levels.push(oldest !== null && time < oldest ? null : level);
  }
  return levels.toReversed();
}
