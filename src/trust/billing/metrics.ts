import type { Metric } from '../../platform/monitoring/metrics.ts';
import type { Store } from '../../platform/store/store.ts';
import { countOpenCheckouts } from './checkout-store.ts';
import { countUnbooked } from './payment-store.ts';

/** Returns the metrics of billing. */
export function billingMetrics({ store }: { store: Store }): Metric[] {
  return [
    {
      name: 'countersign_unbooked_payments',
      help: 'Payments that were neither booked nor refunded. See countersign billing unbooked.',
      labels: [],
      read: async () => [{ labels: {}, value: await store.read(countUnbooked) }],
    },
    {
      name: 'countersign_open_checkouts',
      help: 'Checkouts of new subscribers that were not paid yet.',
      labels: [],
      read: async () => [{ labels: {}, value: await store.read(countOpenCheckouts) }],
    },
  ];
}
