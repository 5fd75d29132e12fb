import { defineErrors } from '../../../platform/http/errors/define-errors.ts';

/** The error of what must have the right date. */
export const clockErrors = defineErrors({
  clock_wrong: {
    status: 503,
    message:
      "The server's clock was changed by more than 60 seconds, and it is not known which time is right. Until it is, the service issues and signs nothing with a date. Nothing was changed.",
    remedy: 'Repeat the request after the seconds in the Retry-After header.',
  },
});
