import { defineErrors } from '../../platform/http/errors/define-errors.ts';
import { verificationErrors } from './verification/errors.ts';

/** The errors of credentials that are not valid, and of status lists that are no longer served. */
export const credentialsErrors = defineErrors({
  ...verificationErrors,
  status_list_ended: {
    status: 410,
    message: 'The status list is no longer signed.',
    remedy: 'Get a new credential of the agent. The message says why the list ended.',
  },
});
