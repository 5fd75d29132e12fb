import type { Metric } from '../../../platform/monitoring/metrics.ts';
import type { ClockWatch } from '../../../platform/time/clock-watch.ts';

/** Returns the metrics of the clock. */
export function clockMetrics({ clockWatch }: { clockWatch: ClockWatch }): Metric[] {
  const metric = (name: string, help: string, value: () => number): Metric => ({
    name,
    help,
    labels: [],
    read: async () => [{ labels: {}, value: value() }],
  });
  return [
    metric(
      'countersign_clock_set_seconds',
      'Seconds by which the clock was set ahead (below 0: back) while its new time is neither confirmed nor accepted; else 0.',
      () => (clockWatch.look() ?? 0) / 1000,
    ),
    metric(
      'countersign_clock_in_doubt',
      '1 while tasks that delete, expire, refund or pay wait because the clock is wrong, or in doubt since the start; else 0.',
      () => (clockWatch.isInDoubt ? 1 : 0),
    ),
  ];
}
