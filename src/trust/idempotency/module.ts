import type { ModuleEntry } from '../../platform/module.ts';

/** First answers, kept for repeated requests. */
export const idempotencyModule = {
  name: 'idempotency',
  server: () => import('./server.ts'),
} satisfies ModuleEntry;
