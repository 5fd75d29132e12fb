import type { Metric } from '../../platform/monitoring/metrics.ts';
import type { WitnessContext } from '../context.ts';
import { witnessedLogs } from './store.ts';

/** What is told of the witnessed logs for those who watch the witness. */
export function witnessMetrics({ store, clock }: WitnessContext): Metric[] {
  const labels = ['log'];
  const all = () => store.read(witnessedLogs);
  return [
    {
      name: 'countersign_witnessed_tree_size',
      help: 'Leaves of the newest checkpoint that was cosigned of a log.',
      labels,
      read: async () => (await all()).map(({ origin, size }) => ({ labels: { log: origin }, value: size })),
    },
    {
      name: 'countersign_witnessed_age_seconds',
      help: 'How long ago a checkpoint of a log was cosigned.',
      labels,
      read: async () =>
        (await all()).map(({ origin, cosignedAt }) => ({
          labels: { log: origin },
          value: clock.now() / 1000 - cosignedAt,
        })),
    },
  ];
}
