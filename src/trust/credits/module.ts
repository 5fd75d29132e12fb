import type { ModuleEntry } from '../../platform/module.ts';
import { creditsErrors } from './errors.ts';

/** Credits of agents: grants, transfers, journals and access tiers. */
export const creditsModule = {
  name: 'credits',
  errors: creditsErrors,
} satisfies ModuleEntry;
