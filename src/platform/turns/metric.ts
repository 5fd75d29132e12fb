import type { Metric } from '../monitoring/metrics.ts';
import type { Turns } from './turns.ts';

/** Returns the metric of the requests that wait for their turn. */
export function waitingMetric(turns: Turns): Metric {
  return {
    name: 'countersign_http_requests_waiting',
    help: 'Requests that wait for the turn of their payer.',
    labels: [],
    read: async () => [{ labels: {}, value: turns.length }],
  };
}
