import type { ModuleEntry } from '../../platform/module.ts';
import { operatorsErrors } from './errors.ts';

/** Operators, their keys and sessions. */
export const operatorsModule = {
  name: 'operators',
  tags: [
    {
      name: 'Operator',
      description: 'Your account, its API keys and sessions.',
    },
  ],
  errors: operatorsErrors,
  server: () => import('./server.ts'),
} satisfies ModuleEntry;
