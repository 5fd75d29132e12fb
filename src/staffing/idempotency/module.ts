import idempotency from '../../../db/staffing/migrations/0005_idempotency.sql' with { type: 'text' };
import type { ModuleEntry } from '../../platform/module.ts';

/** Stores responses for idempotent retries. */
export const idempotencyModule = {
  name: 'idempotency',
  migrations: [{ name: '0005_idempotency', sql: idempotency }],
  server: () => import('./server.ts'),
} satisfies ModuleEntry;
