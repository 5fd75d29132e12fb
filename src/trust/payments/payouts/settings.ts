import { PAYOUT_RAILS } from '../../../../db/trust/payouts-enums.ts';
import { choice, integer } from '../../../platform/config/setting.ts';

/** Settings for payouts. */
export const payoutsSettings = {
  rail: choice('payouts.rail', PAYOUT_RAILS, {
    description:
      'how withdrawals are paid: manual (by an administrator, who confirms each with countersign payouts confirm) or evm (in tokens, to custodial wallets)',
    argument: '<rail>',
    fallback: 'manual',
  }),
  minimum: integer<null>('payouts.minimum', 1, Number.MAX_SAFE_INTEGER, {
    description:
      'the fewest credits of a withdrawal; if absent 1, or 100 with payouts.rail=evm, where each payout costs a fee',
    argument: '<credits>',
    fallback: null,
  }),
};

/** The fewest credits of a withdrawal by rail, where the setting is absent: a payout on a chain must be worth its fee. */
export const DEFAULT_MINIMUM = { manual: 1, evm: 100 } as const satisfies Record<
  (typeof PAYOUT_RAILS)[number],
  number
>;
