import type { Metric } from '../../../platform/monitoring/metrics.ts';
import type { Store } from '../../../platform/store/store.ts';
import type { Clock } from '../../../platform/time/clock.ts';
import { oldDisputes } from './store.ts';

/** For so many days a dispute waits before somebody has to look at it. */
const WAITING_DAYS = 7;
/** The most disputes that are counted. */
const MOST = 10_000;

type Context = { store: Store; clock: Clock };

/** Returns how many disputes have waited for a decision for more than 7 days, at most 10,000. */
async function countWaiting({ store, clock }: Context): Promise<number> {
  const before = clock.now() - WAITING_DAYS * 86_400_000;
  return (await store.read((snapshot) => oldDisputes(snapshot, { before, limit: MOST }))) ?? 0;
}

/**
 * Returns what health says of disputes that wait for a decision for more than 7 days. Null for none. Health
 * is public, so it names no task.
 */
export async function waitingDisputesProblem(trust: Context): Promise<string | null> {
  const count = await countWaiting(trust);
  if (count === 0) return null;
  const disputes = count === 1 ? '1 disputed engagement waits' : `${count} disputed engagements wait`;
  return `${disputes} for a decision for more than ${WAITING_DAYS} days. The administrator decides, unless an arbiter does: countersign engagements list --disputed, then resolve.`;
}

/** Returns the metric of disputes that wait for a decision. */
export const waitingDisputesMetric = (trust: Context): Metric => ({
  name: 'countersign_engagements_disputed',
  help: `Engagements whose dispute has waited for a decision for more than ${WAITING_DAYS} days.`,
  labels: [],
  read: async () => [{ labels: {}, value: await countWaiting(trust) }],
});
