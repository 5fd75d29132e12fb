import { defineErrors } from '../../platform/http/errors/define-errors.ts';
/** The errors of movements of credits. */
export const ledgerErrors = defineErrors({
  insufficient_credits: {
    status: 402,
    message: 'The credits do not suffice.',
    remedy: 'Add credits to the payer, or send a request that needs fewer.',
  },
});
