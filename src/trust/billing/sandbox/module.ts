import sandbox from '../../../../db/trust/migrations/0028_sandbox.sql' with { type: 'text' };
import portal from '../../../../db/trust/migrations/0057_sandbox_portal.sql' with { type: 'text' };
import type { ModuleEntry } from '../../../platform/module.ts';

/** The built-in sandbox: a payment processor for tests, whose payments are made up. */
export const sandboxModule = {
  name: 'sandbox',
  migrations: [
    { name: '0028_sandbox', sql: sandbox },
    { name: '0057_sandbox_portal', sql: portal },
  ],
  server: () => import('./server.ts'),
} satisfies ModuleEntry;
