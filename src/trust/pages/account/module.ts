import type { ModuleEntry } from '../../../platform/module.ts';

/**
 * The pages at /account with which people manage an operator. The documentation of the API does not list
 * them.
 */
export const accountModule = {
  name: 'account',
  server: () => import('./server.ts'),
} satisfies ModuleEntry;
