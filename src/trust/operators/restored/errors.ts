import { defineErrors } from '../../../platform/http/errors/define-errors.ts';

/** The error of what waits after a restore. */
export const restoredErrors = defineErrors({
  restore_not_accepted: {
    status: 503,
    message:
      'The database was restored from a backup, and the administrator has not accepted it yet. Until then no credits are withdrawn or settled. Nothing was changed.',
    remedy:
      'Repeat the request later. As the administrator of the service, run countersign restore show, then countersign restore accept.',
  },
});
