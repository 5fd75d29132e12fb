import type { ModuleEntry } from '../../../platform/module.ts';
import { explorerSettings } from './settings.ts';

/** The pages that show people what the public API says. The API documentation does not list them. */
export const explorerModule = {
  name: 'explorer',
  settings: Object.values(explorerSettings),
  server: () => import('./server.ts'),
} satisfies ModuleEntry;
