import type { Store } from '../../../platform/store/store.ts';
import type { Transaction } from '../../../platform/store/transaction.ts';
import type { Clock } from '../../../platform/time/clock.ts';
import {
  deliveriesOn,
  deliveryClockOf,
  nextChange,
  nextWorker,
  setDeliveries,
  setDeliveryClock,
} from './deliveries-store.ts';
import { dayOf, startOf } from './score.ts';

/** Agents per transaction: a few milliseconds, so that requests are not delayed. */
const BATCH = 25;

/**
 * Counts once a day the accepted deliveries of each agent that count from then on: which ones do changes with
 * the day alone. It stores its position, so it continues after a restart.
 */
export async function countDeliveriesOfDay({ store, clock }: { store: Store; clock: Clock }): Promise<void> {
  const today = dayOf(clock.now());
  const known = await store.read((snapshot) => deliveryClockOf(snapshot));
  if (known !== null && known.day >= today && known.workerSeq === 0) return;
  while ((await store.writeAsService((tx) => countBatchIn(tx, today))) === 'more');
}

/**
 * Returns when the next day begins on which other deliveries count, if that is after `after`; null for none.
 * Both are milliseconds since 1970.
 */
export async function nextDeliveryDay({ store }: { store: Store }, after: number): Promise<number | null> {
  return store.read(async (snapshot) => {
    const known = await deliveryClockOf(snapshot);
    const done = known === null ? 0 : known.day - (known.workerSeq === 0 ? 0 : 1);
    const day = await nextChange(snapshot, Math.max(done, dayOf(after)));
    return day === null ? null : startOf(day);
  });
}

/** Counts for one batch of agents. A position of 0 says that the day is done. */
async function countBatchIn(tx: Transaction, today: number): Promise<'more' | 'all'> {
  const known = await deliveryClockOf(tx);
  const workers = await workersAfter(tx, known !== null && known.day === today ? known.workerSeq : 0);
  const [first, last] = [workers.at(0), workers.at(-1)];
  if (first !== undefined && last !== undefined) {
    const counted = await deliveriesOn(tx, { day: today, first, last });
    const deliveriesOf = new Map(counted.map(({ workerSeq, deliveries }) => [workerSeq, deliveries]));
    for (const agentSeq of workers)
      await setDeliveries(tx, { agentSeq, deliveries: deliveriesOf.get(agentSeq) ?? 0 });
  }
  const isLast = last === undefined || workers.length < BATCH;
  await setDeliveryClock(tx, { day: today, workerSeq: isLast ? 0 : last });
  return isLast ? 'all' : 'more';
}

/** Returns the next agents after another that ever had an accepted delivery. */
async function workersAfter(tx: Transaction, position: number): Promise<number[]> {
  const workers: number[] = [];
  for (let next = await nextWorker(tx, position); next !== null; next = await nextWorker(tx, next)) {
    workers.push(next);
    if (workers.length === BATCH) break;
  }
  return workers;
}
