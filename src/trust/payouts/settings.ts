import { PAYOUT_RAILS } from '../../../db/trust/payouts-enums.ts';
import { choice } from '../../platform/config/setting.ts';

/** Settings for payouts. */
export const payoutsSettings = {
  rail: choice('payouts.rail', PAYOUT_RAILS, {
    description:
      'how withdrawals are paid: manual (by an administrator, who confirms each with countersign payouts confirm) or evm (in tokens, to custodial wallets)',
    argument: '<rail>',
    fallback: 'manual',
  }),
};
