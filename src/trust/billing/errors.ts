import { defineErrors } from '../../platform/http/errors/define-errors.ts';
/** The errors of billing. */
export const billingErrors = defineErrors({
  processor_unavailable: {
    status: 503,
    message: 'The payment processor did not take the order. Nothing was booked or charged.',
    remedy: 'Repeat the request after the seconds in the Retry-After header.',
  },
});
