import { outbox } from '../../platform/delivery/store.ts';
import type { Metric } from '../../platform/monitoring/metrics.ts';
import type { Store } from '../../platform/store/store.ts';

/** Returns the metric of the deliveries that are pending. */
export function queueMetric(store: Pick<Store, 'read'>): Metric {
  return {
    name: 'countersign_webhook_queue_length',
    help: 'Deliveries in the queue.',
    labels: [],
    read: async () => [{ labels: {}, value: await store.read(outbox.countPending) }],
  };
}
