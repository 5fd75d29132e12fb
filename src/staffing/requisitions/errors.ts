import { defineErrors } from '../../platform/http/errors/define-errors.ts';
/** The errors of requisitions. */
export const requisitionsErrors = defineErrors({
  REQUISITION_LIMIT_REACHED: {
    status: 403,
    message: 'The sandbox already has 25 requisitions, which is its limit.',
    remedy: 'Delete one of them first.',
  },
  EXTERNAL_ID_CONFLICT: {
    status: 409,
    message: 'A requisition with this external_id has different content.',
    remedy: 'Change that requisition with PATCH, or use another external_id.',
  },
});
