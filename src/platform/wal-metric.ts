import type { Figure } from './metrics.ts';

/** How long the write-ahead log of a database file is. */
export function logFigure(database: string): Figure {
  const file = Bun.file(`${database}-wal`);
  return {
    name: 'countersign_store_wal_bytes',
    help: 'Size of the write-ahead log.',
    labels: [],
    read: async () => [{ labels: {}, value: (await file.exists()) ? file.size : 0 }],
  };
}
