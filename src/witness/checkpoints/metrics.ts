import type { Metric } from '../../platform/monitoring/metrics.ts';
import type { Store } from '../../platform/store/store.ts';
import type { Clock } from '../../platform/time/clock.ts';
import { witnessedLogs } from './store.ts';

/** Returns the metrics of the witnessed logs. */
export function witnessMetrics({ store, clock }: { store: Store; clock: Clock }): Metric[] {
  const labels = ['log'];
  const all = () => store.read(witnessedLogs);
  return [
    {
      name: 'countersign_witnessed_tree_size',
      help: 'Leaves in the newest cosigned checkpoint of a log.',
      labels,
      read: async () => (await all()).map(({ origin, size }) => ({ labels: { log: origin }, value: size })),
    },
    {
      name: 'countersign_witnessed_age_seconds',
      help: 'Seconds since the last cosignature of a checkpoint of a log.',
      labels,
      read: async () =>
        (await all()).map(({ origin, cosignedAt }) => ({
          labels: { log: origin },
          value: clock.now() / 1000 - cosignedAt,
        })),
    },
  ];
}
