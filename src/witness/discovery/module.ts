import type { ModuleEntry } from '../../platform/module.ts';

/** Describes the witness and its health. */
export const discoveryModule = {
  name: 'discovery',
  server: () => import('./server.ts'),
} satisfies ModuleEntry;
