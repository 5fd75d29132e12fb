import type { ModuleEntry } from '../../platform/module.ts';
import { gateErrors } from './errors.ts';

/** Whether an operator may act. */
export const gateModule = {
  name: 'gate',
  tags: [
    {
      name: 'Gate',
      description: 'Ask before an agent is let at something.',
    },
  ],
  errors: gateErrors,
  server: () => import('./server.ts'),
} satisfies ModuleEntry;
