import type { ModuleEntry } from '../../platform/module.ts';
import { adminSettings } from './settings.ts';

/** The operations that only the administrator of the service may use. */
export const adminModule = {
  name: 'admin',
  tags: [{ name: 'Administration', description: 'Only for the administrator of the service.' }],
  settings: Object.values(adminSettings),
  server: () => import('./server.ts'),
  descriptions: () => import('./api.md', { with: { type: 'text' } }),
  examples: () => import('./examples.json'),
} satisfies ModuleEntry;
