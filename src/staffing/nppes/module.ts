import type { ModuleEntry } from '../../platform/module.ts';

/** The files in which CMS and the NUCC publish clinicians and specialties. */
export const nppesModule = {
  name: 'nppes',
} satisfies ModuleEntry;
