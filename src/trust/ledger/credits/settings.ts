import { integer } from '../../../platform/config/setting.ts';

/** Settings for credits. */
export const creditsSettings = {
  centsPerCredit: integer('credits.cents_per_credit', 1, 10_000, {
    description: 'US cents that a credit costs when it is bought, and that it is worth when it is withdrawn',
    fallback: 1,
  }),
};
