import type { Metric } from '../../platform/monitoring/metrics.ts';
import { readInRanges } from '../../platform/store/row-ranges.ts';
import type { Store } from '../../platform/store/store.ts';
import type { Clock } from '../../platform/time/clock.ts';
import { countOpenCheckouts } from './checkout-store.ts';
import { countUnbooked, newestUnbooked } from './payment-store.ts';
import { countHolding, countWaiting } from './report-store.ts';

/** Looking for the refunds of so many payments takes about 5 ms. */
const PAYMENTS = 10_000;

/** Returns the metrics of billing. */
export function billingMetrics({ store, clock }: { store: Store; clock: Clock }): Metric[] {
  return [
    {
      name: 'countersign_unbooked_payments',
      help: 'Payments that were neither booked nor refunded. See countersign billing unbooked.',
      labels: [],
      read: async () => {
        const last = await store.read(newestUnbooked);
        const counts = await readInRanges(store, last ?? 0, PAYMENTS, async (snapshot, range) => [
          await countUnbooked(snapshot, range),
        ]);
        return [{ labels: {}, value: counts.reduce((sum, count) => sum + count, 0) }];
      },
    },
    {
      name: 'countersign_disputes_open',
      help: 'Disputes and warnings of fraud that hold credits until they are decided, or for 30 days.',
      labels: [],
      read: async () => [
        { labels: {}, value: await store.read((snapshot) => countHolding(snapshot, clock.now())) },
      ],
    },
    {
      name: 'countersign_waiting_payment_reports',
      help: 'Disputes, warnings and refunds of payments that are not booked. They are deleted after 90 days.',
      labels: [],
      read: async () => [{ labels: {}, value: await store.read(countWaiting) }],
    },
    {
      name: 'countersign_open_checkouts',
      help: 'Checkouts of new subscribers that were not paid yet.',
      labels: [],
      read: async () => [{ labels: {}, value: await store.read(countOpenCheckouts) }],
    },
  ];
}
