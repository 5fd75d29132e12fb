import type { ModuleEntry } from '../../../platform/module.ts';
import { witnessesSettings } from './settings.ts';

/** Witnesses: services that cosign checkpoints. */
export const witnessesModule = {
  name: 'witnesses',
  settings: Object.values(witnessesSettings),
  server: () => import('./server.ts'),
} satisfies ModuleEntry;
