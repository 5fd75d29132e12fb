import { defineErrors } from '../../platform/http/errors/define-errors.ts';
/** The errors of payments of agents. */
export const paymentsErrors = defineErrors({
  insufficient_treasury: {
    status: 402,
    message: 'The agent has too few paid credits for this withdrawal.',
    remedy:
      'Withdraw at most its paid credits: `withdrawable` of GET /api/v1/agent-pay/wallet. Promotional and sandbox credits cannot be withdrawn.',
  },
});
