import type { Metric } from '../../platform/monitoring/metrics.ts';
import type { Store } from '../../platform/store/store.ts';
import type { Clock } from '../../platform/time/clock.ts';
import { LOG_NAMES } from '../../proof/log/log-names.ts';
import type { TrustLog } from './lifecycle/open.ts';
import { leafCounts } from './store.ts';

/** Returns the metrics of the logs. */
export function logMetrics({
  store,
  log: { publisher, damage },
  clock,
}: {
  store: Store;
  log: TrustLog;
  clock: Clock;
}): Metric[] {
  const labels = ['log'];
  return [
    {
      name: 'countersign_log_leaves',
      help: 'Leaves in a log, including those that no checkpoint covers yet.',
      labels,
      read: () =>
        store.read(async (snapshot) => {
          const sizes = await leafCounts(snapshot, LOG_NAMES);
          return LOG_NAMES.map((log, at) => ({ labels: { log }, value: sizes[at] ?? 0 }));
        }),
    },
    {
      name: 'countersign_log_tree_size',
      help: 'Tree size of the newest checkpoint of a log.',
      labels,
      read: async () =>
        LOG_NAMES.map((log) => ({ labels: { log }, value: publisher.latest(log).response.tree_size })),
    },
    {
      name: 'countersign_log_checkpoint_age_seconds',
      help: 'Seconds since the newest checkpoint of a log was issued.',
      labels,
      read: async () =>
        LOG_NAMES.map((log) => ({
          labels: { log },
          value: (clock.now() - Date.parse(publisher.latest(log).response.issued_at)) / 1000,
        })),
    },
    {
      name: 'countersign_log_damaged',
      help: '1 if, since the start, the service refused a proof or a tile because the database does not match what was published; else 0.',
      labels,
      read: async () => LOG_NAMES.map((log) => ({ labels: { log }, value: damage.has(log) ? 1 : 0 })),
    },
  ];
}
