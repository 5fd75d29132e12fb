import journalHeads from '../../../../db/trust/migrations/0061_journal_heads.sql' with { type: 'text' };
import type { ModuleEntry } from '../../../platform/module.ts';

/** The heads of all journals, whose root is a leaf of the log of accounts once a day. */
export const headsModule = {
  name: 'heads',
  migrations: [{ name: '0061_journal_heads', sql: journalHeads }],
  server: () => import('./server.ts'),
  descriptions: () => import('./api.md', { with: { type: 'text' } }),
  examples: () => import('./examples.json'),
  audit: () => import('./audit.ts'),
} satisfies ModuleEntry;
