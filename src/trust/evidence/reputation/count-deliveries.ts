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

/** Agents per transaction, so that other writers are not blocked. */
const BATCH = 50;

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
  let workerSeq = known !== null && known.day === today ? known.workerSeq : 0;
  for (let turn = 0; turn < BATCH; turn++) {
    const next = await nextWorker(tx, workerSeq);
    if (next === null) {
      await setDeliveryClock(tx, { day: today, workerSeq: 0 });
      return 'all';
    }
    workerSeq = next;
    const deliveries = (await deliveriesOn(tx, { day: today, workerSeq })) ?? 0;
    await setDeliveries(tx, { agentSeq: workerSeq, deliveries });
  }
  await setDeliveryClock(tx, { day: today, workerSeq });
  return 'more';
}
