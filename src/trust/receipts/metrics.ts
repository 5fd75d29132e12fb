import type { Metric } from '../../platform/monitoring/metrics.ts';
import { readInRanges } from '../../platform/store/row-ranges.ts';
import type { Store } from '../../platform/store/store.ts';
import { countByState, newestIssuer } from './store.ts';

/** Counting the receipts of so many operators takes about 5 ms. */
const OPERATORS = 2000;

/** Returns the metric of receipts by state. */
export function receiptMetric({ store }: { store: Store }): Metric {
  return {
    name: 'countersign_receipts',
    help: 'Receipts by status and revocation status.',
    labels: ['status', 'revocation_status'],
    async read() {
      const last = await store.read(newestIssuer);
      const samples = new Map<string, { labels: Record<string, string>; value: number }>();
      for (const counted of await readInRanges(store, last ?? 0, OPERATORS, countByState)) {
        const labels = { status: counted.status, revocation_status: counted.revocationStatus };
        const key = Object.values(labels).join(' ');
        samples.set(key, { labels, value: (samples.get(key)?.value ?? 0) + counted.receipts });
      }
      return [...samples.values()];
    },
  };
}
