import type { ModuleEntry } from '../../platform/module.ts';
import { cliniciansErrors } from './errors.ts';

/** Searches the registry. */
export const cliniciansModule = {
  name: 'clinicians',
  tags: [{ name: 'Clinicians', description: 'Search the registry.' }],
  errors: cliniciansErrors,
  server: () => import('./server.ts'),
  examples: () => import('./examples.ts'),
} satisfies ModuleEntry;
