import type { ModuleEntry } from '../../platform/module.ts';
import { operatorsErrors } from './errors.ts';
import { operatorsSettings } from './settings.ts';

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
  settings: Object.values(operatorsSettings),
  commands: () => import('./commands.ts'),
  server: () => import('./server.ts'),
} satisfies ModuleEntry;
