import { Database } from 'bun:sqlite';
import { expect, test } from 'bun:test';
import { drizzle } from 'drizzle-orm/bun-sqlite';
import { examine, type Task } from '../../../../src/trust/audit/stretches.ts';

const log = {
  logSeq: 1,
  name: 'receipts' as const,
  origin: 'acme.example/receipts',
  openedAt: '',
  closedSize: null,
  closedAt: null,
};

test.each<[Task, string]>([
  [{ kind: 'receipts', after: 0, reach: 1024 }, 'receipt'],
  [{ kind: 'checkpoints', after: 0, reach: 1024 }, 'checkpoint'],
  [{ kind: 'leaves', name: 'receipts', log, from: 0, to: 1024 }, 'receipt_leaf'],
])('what keeps a stretch from being read is a finding, and no end: %j', (task, table) => {
  const sqlite = new Database(':memory:');
  const { findings } = examine({ sqlite, orm: drizzle({ client: sqlite }) }, task);
  expect(findings).toMatchObject([{ table, what: expect.stringContaining('cannot be read: no such table') }]);
  sqlite.close();
});
