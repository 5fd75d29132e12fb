import { PAYOUT_RAILS } from '../../../db/trust/payouts-enums.ts';
import { choice, integer } from '../../platform/config/setting.ts';

/** Settings for payouts. */
export const payoutsSettings = {
  rail: choice('payouts.rail', PAYOUT_RAILS, {
    description:
      'how withdrawals are paid: manual (by an administrator, who confirms each with countersign payouts confirm) or evm (in tokens, to custodial wallets)',
    argument: '<rail>',
    fallback: 'manual',
  }),
  minimum: integer('payouts.minimum', 1, Number.MAX_SAFE_INTEGER, {
    description:
      'the fewest credits of a withdrawal, because each payout costs a fee of the chain, or your work',
    argument: '<credits>',
    fallback: 100,
  }),
};
