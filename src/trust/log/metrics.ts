import type { Figure } from '../../platform/monitoring/metrics.ts';
import { LOG_NAMES } from '../../proof/log/names.ts';
import type { TrustContext } from '../context.ts';
import { leafCounts } from './store.ts';

/** What is told of the logs for those who watch the service. */
export function logMetrics({
  store,
  log: { publisher, damage },
  clock,
}: Pick<TrustContext, 'store' | 'log' | 'clock'>): Figure[] {
  const labels = ['log'];
  return [
    {
      name: 'countersign_log_leaves',
      help: 'Leaves of a log, whether or not a checkpoint covers them.',
      labels,
      read: () =>
        store.read(async (snapshot) => {
          const sizes = await leafCounts(snapshot, LOG_NAMES);
          return LOG_NAMES.map((log, at) => ({ labels: { log }, value: sizes[at] ?? 0 }));
        }),
    },
    {
      name: 'countersign_log_tree_size',
      help: 'Leaves that the newest checkpoint of a log covers.',
      labels,
      read: async () =>
        LOG_NAMES.map((log) => ({ labels: { log }, value: publisher.latest(log).response.tree_size })),
    },
    {
      name: 'countersign_log_checkpoint_age_seconds',
      help: 'How old the newest checkpoint of a log is.',
      labels,
      read: async () =>
        LOG_NAMES.map((log) => ({
          labels: { log },
          value: (clock.now() - Date.parse(publisher.latest(log).response.issued_at)) / 1000,
        })),
    },
    {
      name: 'countersign_log_damaged',
      help: 'Whether, since the start, a proof or a tile of a log was refused because the database holds something else than was published.',
      labels,
      read: async () => LOG_NAMES.map((log) => ({ labels: { log }, value: damage.has(log) ? 1 : 0 })),
    },
  ];
}
