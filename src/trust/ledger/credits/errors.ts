import { defineErrors } from '../../../platform/http/errors/define-errors.ts';
/** The error of debits that the spending scope of a key does not allow. */
export const creditsErrors = defineErrors({
  scope_violation: {
    status: 402,
    message: 'The spending scope of the key does not allow this debit.',
    remedy:
      'Use a key whose scope allows the debit. For a debit of an agent, its authorization (agent_auth) has no scope.',
  },
});
