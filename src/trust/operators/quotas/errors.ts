import { defineErrors } from '../../../platform/http/errors/define-errors.ts';
/** The error of writes whose payer has used up a quota. */
export const quotasErrors = defineErrors({
  quota_exceeded: {
    status: 403,
    message: 'The storage quota is used up.',
    remedy:
      'Read the quota in GET /api/v1/operator/status, and ask the administrator of the service for more.',
  },
});
