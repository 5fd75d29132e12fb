import { PAYOUT_RAILS, type PayoutRailName } from '../../../../db/trust/payouts-enums.ts';
import type { Config } from '../../../platform/config/setting.ts';
import { choice, integer } from '../../../platform/config/setting.ts';
import { Failure } from '../../../platform/failure.ts';

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

/** The default of the fewest credits of a withdrawal: a payout on a chain must be worth its fee. */
const DEFAULT_MINIMUM = { manual: 1, evm: 100 } as const satisfies Record<
  (typeof PAYOUT_RAILS)[number],
  number
>;

/** The settings of payouts in the units of the code. */
export interface PayoutsPolicy {
  /** How withdrawals are paid. */
  payoutRail: PayoutRailName;
  /** The fewest credits of a withdrawal. */
  payoutMinimum: number;
}

/**
 * Returns the policy of payouts from the settings.
 * @throws Failure (exit code 2) when they are paid on a chain and none is configured
 */
export function payoutsPolicy(config: Config, hasChain: boolean): PayoutsPolicy {
  const payoutRail = payoutsSettings.rail.in(config);
  if (payoutRail === 'evm' && !hasChain) {
    throw new Failure(
      'payouts.rail is evm, but no chain is configured',
      'set evm.rpc_urls, evm.chain_id, evm.token and evm.treasury_key, or set payouts.rail to manual',
      2,
    );
  }
  return { payoutRail, payoutMinimum: payoutsSettings.minimum.in(config) ?? DEFAULT_MINIMUM[payoutRail] };
}
