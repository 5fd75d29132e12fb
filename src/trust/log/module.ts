import type { ModuleEntry } from '../../platform/module.ts';
import { logSettings } from './settings.ts';

/** The transparency log. */
export const logModule = {
  name: 'log',
  tags: [
    {
      name: 'Transparency log',
      description:
        'What proves that nothing was added, changed or left out later: checkpoints, proofs, and the log itself.',
    },
  ],
  settings: Object.values(logSettings),
  commands: () => import('./commands.ts'),
  server: () => import('./server.ts'),
} satisfies ModuleEntry;
