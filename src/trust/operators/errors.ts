import { defineErrors } from '../../platform/http/errors/define-errors.ts';
/** The errors of service tokens. */
export const operatorsErrors = defineErrors({
  service_auth_failed: {
    status: 401,
    message: 'The request has no valid service token.',
    remedy: 'Send the header Authorization: Bearer svc_…',
  },
});
