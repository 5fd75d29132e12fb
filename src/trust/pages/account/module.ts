import type { ModuleEntry } from '../../../platform/module.ts';

/** The pages at /account, where people manage an operator. The API documentation does not list them. */
export const accountModule = {
  name: 'account',
  server: () => import('./server.ts'),
} satisfies ModuleEntry;
