import type { ModuleEntry } from '../../platform/module.ts';
import { cliniciansErrors } from './errors.ts';
import { cliniciansSettings } from './settings.ts';

/** Searches the registry. */
export const cliniciansModule = {
  name: 'clinicians',
  tags: [{ name: 'Clinicians', description: 'Search the registry.' }],
  errors: cliniciansErrors,
  settings: Object.values(cliniciansSettings),
  server: () => import('./server.ts'),
  descriptions: () => import('./api.md', { with: { type: 'text' } }),
  examples: () => import('./examples.json'),
} satisfies ModuleEntry;
