import type { Config } from '../../../platform/config/setting.ts';
import { integer } from '../../../platform/config/setting.ts';

/** The longest hold, in days. */
export const LONGEST_HOLD = 365;

/** Settings of the holds on bought credits. */
export const lotsSettings = {
  holdDays: integer<null>('payouts.hold_days', 0, LONGEST_HOLD, {
    argument: '<days>',
    description:
      'the days for which credits that were paid by card cannot be withdrawn, and the promotional credits of a purchase stay with its operator; if absent 7, or 0 with the sandbox as payment processor',
    fallback: null,
  }),
};

const DEFAULT_DAYS = 7;

/** The settings of holds in the units of the code. */
export interface HoldsPolicy {
  /** The days from a payment by card until its credits can be withdrawn. */
  holdDays: number;
}

/**
 * Returns the policy of holds from the settings.
 * @param isSandbox whether no real money is paid, so that a test need not wait
 */
export const holdsPolicy = (config: Config, isSandbox: boolean): HoldsPolicy => ({
  holdDays: lotsSettings.holdDays.in(config) ?? (isSandbox ? 0 : DEFAULT_DAYS),
});
