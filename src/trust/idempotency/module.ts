import idempotency from '../../../db/trust/migrations/0010_idempotency.sql' with { type: 'text' };
import type { ModuleEntry } from '../../platform/module.ts';

/** Idempotency: stored responses for repeated requests. */
export const idempotencyModule = {
  name: 'idempotency',
  migrations: [{ name: '0010_idempotency', sql: idempotency }],
  server: () => import('./server.ts'),
} satisfies ModuleEntry;
