import type { ModuleEntry } from '../../platform/module.ts';
import { quotasErrors } from './errors.ts';
import { quotasSettings } from './settings.ts';

/** What each payer may write. */
export const quotasModule = {
  name: 'quotas',
  errors: quotasErrors,
  settings: Object.values(quotasSettings),
} satisfies ModuleEntry;
