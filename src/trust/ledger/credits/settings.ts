import type { Config } from '../../../platform/config/setting.ts';
import { integer } from '../../../platform/config/setting.ts';

/** Settings for credits. */
export const creditsSettings = {
  centsPerCredit: integer('credits.cents_per_credit', 1, 10_000, {
    description: 'US cents that a credit costs when it is bought, and that it is worth when it is withdrawn',
    fallback: 1,
  }),
};

/** The settings of credits in the units of the code. */
export interface CreditsPolicy {
  /** US cents that a credit costs and is worth. */
  centsPerCredit: number;
}

/** Returns the policy of credits from the settings. */
export const creditsPolicy = (config: Config): CreditsPolicy => ({
  centsPerCredit: creditsSettings.centsPerCredit.in(config),
});
