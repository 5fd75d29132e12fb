import type { ModuleEntry } from '../../platform/module.ts';
import { quotasErrors } from './errors.ts';

/** What each payer may write. */
export const quotasModule = {
  name: 'quotas',
  errors: quotasErrors,
} satisfies ModuleEntry;
