import type { Metric } from '../../platform/monitoring/metrics.ts';
import type { Store } from '../../platform/store/store.ts';
import { countByState } from './store.ts';

/** Returns the metric of receipts by state. */
export function receiptMetric({ store }: { store: Store }): Metric {
  return {
    name: 'countersign_receipts',
    help: 'Receipts by status and revocation status.',
    labels: ['status', 'revocation_status'],
    read: async () =>
      (await store.read(countByState)).map(({ status, revocationStatus, receipts }) => ({
        labels: { status, revocation_status: revocationStatus },
        value: receipts,
      })),
  };
}
