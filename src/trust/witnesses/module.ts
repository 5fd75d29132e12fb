import type { ModuleEntry } from '../../platform/module.ts';

/** Those who cosign checkpoints. */
export const witnessesModule = {
  name: 'witnesses',
  server: () => import('./server.ts'),
} satisfies ModuleEntry;
