import type { Metric } from './metrics.ts';

/** Returns the metric of the size of a database file's write-ahead log, in bytes. */
export function walMetric(database: string): Metric {
  const file = Bun.file(`${database}-wal`);
  return {
    name: 'countersign_store_wal_bytes',
    help: 'Size of the write-ahead log.',
    labels: [],
    read: async () => [{ labels: {}, value: (await file.exists()) ? file.size : 0 }],
  };
}
