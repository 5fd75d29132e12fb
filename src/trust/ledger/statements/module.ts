import type { ModuleEntry } from '../../../platform/module.ts';
import { statementsSettings } from './settings.ts';

/** Monthly statements of the pools of operators and of agents. */
export const statementsModule = {
  name: 'statements',
  settings: Object.values(statementsSettings),
  server: () => import('./server.ts'),
  descriptions: () => import('./api.md', { with: { type: 'text' } }),
  examples: () => import('./examples.json'),
} satisfies ModuleEntry;
