import type { WitnessModule } from '../module.ts';
import { checkpointsSettings } from './settings.ts';

/** The checkpoints of others' logs, which it cosigns. */
export const checkpointsModule = {
  name: 'checkpoints',
  settings: Object.values(checkpointsSettings),
  server: () => import('./server.ts'),
} satisfies WitnessModule;
