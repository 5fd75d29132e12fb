import type { ModuleEntry } from '../../platform/module.ts';
import { checkpointsSettings } from './settings.ts';

/** Cosigns the checkpoints of other operators' logs. */
export const checkpointsModule = {
  name: 'checkpoints',
  settings: Object.values(checkpointsSettings),
  server: () => import('./server.ts'),
} satisfies ModuleEntry;
