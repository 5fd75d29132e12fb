import { defineErrors } from '../../platform/http/errors/define-errors.ts';
/** The errors of payments of agents. */
export const paymentsErrors = defineErrors({
  limit_exceeded: {
    status: 409,
    message: 'The settlement exceeds a cap of this service, so it was stored and not booked.',
    remedy:
      'Ask the administrator of the service to book it (countersign settlements book), or send the same body again when the rail has settled less in 24 hours.',
  },
  credits_held: {
    status: 409,
    message: 'The agent has enough paid credits, but some of them cannot be withdrawn yet.',
    remedy:
      'Withdraw at most `withdrawable` of GET /api/v1/agent-pay/wallet now. Its `held` says until when the others are held.',
  },
  insufficient_treasury: {
    status: 402,
    message: 'The agent has too few paid credits for this withdrawal.',
    remedy:
      'Withdraw at most its paid credits: `withdrawable` of GET /api/v1/agent-pay/wallet. Promotional and sandbox credits cannot be withdrawn.',
  },
});
