import type { Figure } from '../../platform/monitoring/metrics.ts';
import type { TrustContext } from '../context.ts';
import { countByState } from './store.ts';

/** How many receipts there are, for those who watch the service. */
export function receiptMetric({ store }: Pick<TrustContext, 'store'>): Figure {
  return {
    name: 'countersign_receipts',
    help: 'Receipts by the state in which they stand.',
    labels: ['status', 'revocation_status'],
    read: async () =>
      (await store.read(countByState)).map(({ status, revocationStatus, receipts }) => ({
        labels: { status, revocation_status: revocationStatus },
        value: receipts,
      })),
  };
}
