import type { WitnessModule } from '../module.ts';

/** What the witness is and whether it works. */
export const discoveryModule = {
  name: 'discovery',
  server: () => import('./server.ts'),
} satisfies WitnessModule;
